//! Which classes are one struct: all objects of an ordinary struct, and structs between which pointers are moved.

use super::super::types::{RecordId, Ty};
use super::classes::Class;
use super::flow::Flow;
use super::layout::View;
use crate::util::hash::{Map, Set};

/// Makes one class of all objects of a struct, unless the struct is one whose classes may differ in what they lead to.
pub(super) fn share(flow: &mut Flow<'_>, annotated: bool, merges_parts: bool) {
    loop {
        let special = if annotated { Set::default() } else { special(flow, merges_parts) };
        let mut first: Map<RecordId, Class> = Map::default();
        let roots = flow.classes.roots();
        for class in &roots {
            for record in flow.classes.known(*class).records.clone() {
                if special.contains(&record) {
                    continue;
                }
                match first.get(&record) {
                    Some(other) => flow.classes.join(*other, *class),
                    None => {
                        first.insert(record, *class);
                    }
                }
            }
        }
        if flow.classes.roots().len() == roots.len() {
            return;
        }
    }
}

/// Structs with a `void *`, structs that are merged, and those that lead to or contain one of them.
fn special(flow: &mut Flow<'_>, merges_parts: bool) -> Set<RecordId> {
    let mut special: Set<RecordId> = Set::default();
    for (views, _) in groups(flow, merges_parts) {
        if views.len() > 1 {
            special.extend(views.iter().map(|(_, record)| *record));
        }
    }
    let records = flow.types.records.iter().enumerate().map(|(i, r)| (RecordId(i as u32), r));
    let records: Vec<_> = records.collect();
    loop {
        let before = special.len();
        for (id, record) in &records {
            for member in record.members.iter().flatten() {
                let mut ty = &member.ty;
                while let Ty::Pointer(inner) | Ty::Array(inner, _) = ty {
                    ty = inner;
                }
                let leads = match ty {
                    Ty::Void => true,
                    Ty::Record(to) => flow.types.opaque == Some(*to) || special.contains(to),
                    _ => false,
                };
                if leads {
                    special.insert(*id);
                }
            }
        }
        if special.len() == before {
            return special;
        }
    }
}

/// A pointer to a part leads back to any object that has it as this part: they are one class.
pub(super) fn join_owners(flow: &mut Flow<'_>) {
    loop {
        let mut moved: Map<(RecordId, u32, Class), Class> = Map::default();
        for owner in flow.owners.clone() {
            let (record, index) = owner.member;
            let (part, around) = (flow.classes.find(owner.part), flow.classes.find(owner.owner));
            moved.insert((record, index, part), around);
        }
        let mut pairs = Vec::new();
        let roots = flow.classes.roots();
        for class in &roots {
            for ((record, index), part) in flow.classes.known(*class).fields.clone() {
                let part = flow.classes.find(part);
                if let Some(owner) = moved.get(&(record, index, part)).filter(|owner| *owner != class) {
                    pairs.push((*owner, *class));
                }
            }
        }
        if pairs.is_empty() {
            return;
        }
        for (a, b) in pairs {
            flow.classes.join(a, b);
        }
    }
}

/// Views that belong together, and where each begins.
pub(super) fn groups(flow: &mut Flow<'_>, merges_parts: bool) -> Vec<(Vec<View>, Vec<i128>)> {
    let mut next: Map<Class, Vec<(Class, i128)>> = Map::default();
    for owner in flow.owners.clone().into_iter().filter(|_| merges_parts) {
        let (part, around) = (flow.classes.find(owner.part), flow.classes.find(owner.owner));
        next.entry(part).or_default().push((around, -owner.offset));
        next.entry(around).or_default().push((part, owner.offset));
    }
    let mut seen: Set<Class> = Set::default();
    let mut groups = Vec::new();
    for class in flow.classes.roots() {
        if seen.contains(&class) {
            continue;
        }
        let mut open = vec![(class, 0)];
        let (mut views, mut starts) = (Vec::new(), Vec::new());
        while let Some((class, start)) = open.pop() {
            if !seen.insert(class) {
                continue;
            }
            for record in flow.classes.known(class).records.clone() {
                views.push((class, record));
                starts.push(start);
            }
            for (other, distance) in next.get(&class).into_iter().flatten() {
                open.push((*other, start + distance));
            }
        }
        if !views.is_empty() {
            groups.push((views, starts));
        }
    }
    groups
}
