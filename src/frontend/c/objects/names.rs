//! Names for the structs and fields that the layout made, and what formulas call them.

use super::super::token::Name;
use super::super::types::{RecordId, Ty};
use super::classes::Class;
use super::layout::{Layout, View};
use crate::program::FieldId;
use crate::util::hash::{Map, Set};
use std::collections::BTreeSet;

impl Layout<'_, '_> {
    /// How the struct around calls a part.
    pub(super) fn part_name(&mut self, (part, _): View, views: &[View]) -> Option<Name> {
        for (class, record) in views {
            for ((around, index), inside) in self.flow.classes.known(*class).fields.clone() {
                if around == *record
                    && self.flow.classes.find(inside) == part
                    && matches!(self.flow.types.member_at(around, index)?.ty, Ty::Record(_))
                {
                    return self.flow.types.member_at(around, index)?.name;
                }
            }
        }
        None
    }

    /// Structs get names that tell them apart; those that objects have come first.
    pub(super) fn name_records(&mut self) {
        let merged = self.groups.iter().map(|group| group.record);
        let plain = self.instances.iter().filter(|((class, _), _)| !self.merged.contains_key(class));
        let mut order: Vec<RecordId> = plain.map(|(_, id)| *id).collect();
        order.sort_unstable();
        let all = (0..self.types.records.len() as u32).map(RecordId);
        let order: Vec<RecordId> = merged.chain(order).chain(all).collect();
        let mut seen: Set<String> = Set::default();
        let mut named: Set<RecordId> = Set::default();
        for id in order {
            if !named.insert(id) {
                continue;
            }
            let name = self.types.record(id).name.clone();
            let mut own = name.clone();
            let mut count = 1;
            while !seen.insert(own.clone()) {
                count += 1;
                own = format!("{name}#{count}");
            }
            self.types.records[id.0 as usize].name = own;
        }
    }

    /// Fields of merged structs get names that tell them apart.
    pub(super) fn name_fields(&mut self) {
        for group in &self.groups {
            let range = self.types.record(group.record).fields.clone();
            let mut seen: BTreeSet<String> = BTreeSet::new();
            for index in range {
                let field = &self.types.fields[index as usize];
                let mut name = field.name.clone();
                if name.is_empty() {
                    "kind".clone_into(&mut name);
                }
                if seen.contains(&name) {
                    let view = group.views.get(field.path[0] as usize);
                    let around = view.map_or("", |(_, record)| &self.flow.types.record(*record).name);
                    name = format!("{name} of {around}");
                }
                while !seen.insert(name.clone()) {
                    name.push('\'');
                }
                self.types.fields[index as usize].name = name;
            }
        }
    }

    /// What formulas call the structs and fields of the unit.
    pub(super) fn rename(&mut self) -> Option<()> {
        let mut views: Vec<View> = self.instances.keys().copied().collect();
        views.sort_by_key(|(class, record)| (*record, *class));
        views.dedup_by_key(|(_, record)| *record);
        let of: Map<RecordId, Class> = views.into_iter().map(|(class, record)| (record, class)).collect();
        for (record, class) in &of {
            let ty = self.object_type(*class, &Ty::Record(*record));
            if let Ty::Record(now) = ty {
                self.kinds.records.insert(*record, now);
            }
        }
        for (old, field) in self.flow.types.fields.iter().enumerate() {
            let (mut record, mut path) = (field.record, Vec::new());
            let mut class = of.get(&field.record).copied();
            let mut around = field.record;
            if let Some(class) = class {
                record = self.instance(class, field.record);
                if let Some(merged) = self.merged_record(class) {
                    record = merged;
                    path.push(self.member(class, field.record)?);
                }
            }
            for index in &field.path {
                let inside =
                    class.and_then(|c| self.flow.classes.known(c).fields.get(&(around, *index)).copied());
                let member = self.flow.types.member_at(around, *index)?.ty.clone();
                let same = class
                    .and_then(|c| self.group(c))
                    .filter(|g| inside.and_then(|i| self.group(i)) == Some(*g));
                match (&member, inside) {
                    (Ty::Record(part), Some(inside)) if same.is_some() => {
                        path = vec![self.member(inside, *part)?];
                    }
                    (Ty::Record(part), Some(inside)) if self.group(inside).is_some() => {
                        path.push(*index);
                        path.push(self.member(inside, *part)?);
                    }
                    _ => path.push(*index),
                }
                if let Ty::Record(part) = member {
                    around = part;
                }
                class = inside;
            }
            if let Some(now) = self.types.field(record, &path) {
                self.kinds.fields.insert(FieldId(old as u32), now);
            }
        }
        Some(())
    }
}
