//! Which structs inside others are parts: those whose address the unit takes, and those that any pointer of the unit may
//! lead to.

use super::super::super::hir::Checked;
use super::super::super::types::{MAX_FIELDS, RecordId, Ty, Types};
use super::Usage;
use crate::util::hash::Set;

impl Usage {
    /// Finds the structs inside others whose type is that of a pointer somewhere in the unit.
    pub(super) fn find_pointed(&mut self, checked: &Checked, types: &Types) {
        let objects = checked.functions.iter().flat_map(|f| {
            let locals = f.locals.iter().map(|local| &local.ty);
            f.parameters.iter().chain([&f.result]).chain(locals)
        });
        let objects = objects.chain(checked.globals.iter().map(|g| &g.ty));
        let mut pointed: Set<RecordId> = Set::default();
        for mut ty in objects.chain(types.fields.iter().map(|field| &field.ty)) {
            while let Ty::Pointer(inner) | Ty::Array(inner, _) = ty {
                pointed.extend(ty.target());
                ty = inner;
            }
        }
        for index in 0..types.records.len() as u32 {
            let record = RecordId(index);
            let mut open = vec![(record, Vec::new())];
            let (mut found, mut visited) = (Vec::new(), 0);
            while let Some((at, path)) = open.pop() {
                visited += 1;
                if visited > MAX_FIELDS {
                    // Embedding can double the number with every struct. Overlaps are complained about then.
                    found.clear();
                    break;
                }
                for (i, member) in (0..).zip(types.record(at).members.iter().flatten()) {
                    let Ty::Record(inner) = member.ty else { continue };
                    let path: Vec<u32> = path.iter().copied().chain([i]).collect();
                    if pointed.contains(&inner) || self.parts(record).contains(&path) {
                        found.push(path);
                    } else {
                        open.push((inner, path));
                    }
                }
            }
            found.sort();
            if !found.is_empty() {
                self.pointed_parts.insert(record, found);
            }
        }
    }

    /// A part inside a part belongs to the inner struct.
    pub(super) fn close_parts(&mut self, types: &Types) {
        let mut taken = std::mem::take(&mut self.taken_parts);
        loop {
            let through = |(record, path): &(RecordId, Vec<u32>)| {
                let shorter = (1..path.len()).find(|&n| taken.contains(&(*record, path[..n].to_vec())))?;
                match types.part_type(*record, &path[..shorter]) {
                    Some(Ty::Record(inner)) => Some((*inner, path[shorter..].to_vec())),
                    _ => None,
                }
            };
            let Some((long, inner)) = taken.iter().find_map(|part| Some((part.clone(), through(part)?)))
            else {
                break;
            };
            taken.remove(&long);
            taken.insert(inner);
        }
        for (record, path) in taken {
            self.parts.entry(record).or_default().push(path);
        }
        self.parts.values_mut().for_each(|paths| paths.sort());
    }
}
