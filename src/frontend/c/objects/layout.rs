//! Which structs the classes of objects become.
//!
//! A class that is seen as one struct is that struct, or a copy of it if the unit's struct is used for several classes that
//! have nothing to do with each other. A class that is seen as several structs, and a struct inside another if pointers are
//! moved from one to the other, are *merged*: one struct that has each of them as a member. What is inside of another member
//! of the same merged struct is left out there, so that it exists once.

use super::super::hir::{Checked, Kinds, Variable};
use super::super::token::Names;
use super::super::types::{Kind, Made, MemberTy, Merged, RecordId, RecordTy, Ty, Types};
use super::classes::Class;
use super::flow::Flow;
use super::groups::{groups, join_owners, share};
use crate::frontend::diagnostic::Span;
use crate::program::IntKind;
use crate::util::hash::{Map, Set};
use std::sync::Arc;

/// Pointers to pointers, at most, where no type says how many.
const MAX_POINTERS: u32 = 4;

/// A struct as which a class of objects is seen.
pub(super) type View = (Class, RecordId);

/// Structs that are one.
pub(super) struct Group {
    pub(super) record: RecordId,
    pub(super) views: Vec<View>,
    starts: Vec<i128>,
}

/// The types of all classes.
pub(super) struct Layout<'f, 'a> {
    pub(super) flow: &'f mut Flow<'a>,
    pub(super) types: Types,
    pub(super) kinds: Kinds,
    pub(super) groups: Vec<Group>,
    /// The group of a class, if it is merged.
    pub(super) merged: Map<Class, usize>,
    /// The struct of a view: for a merged class a member of the merged struct.
    pub(super) instances: Map<View, RecordId>,
    empty: RecordId,
    /// Structs are merged with those inside them.
    merges_parts: bool,
}

impl<'f, 'a> Layout<'f, 'a> {
    /// Finds the types; `None` if there are none that fit.
    pub(super) fn of(
        flow: &'f mut Flow<'a>,
        checked: &Checked,
        names: &Names,
        annotated: bool,
        merges_parts: bool,
    ) -> Option<Layout<'f, 'a>> {
        loop {
            let before = flow.classes.roots().len();
            share(flow, annotated, merges_parts);
            join_owners(flow);
            if flow.classes.roots().len() == before {
                break;
            }
        }
        let groups = groups(flow, merges_parts);
        let mut layout = Layout {
            types: flow.types.clone(),
            flow,
            kinds: Kinds::default(),
            groups: Vec::new(),
            merged: Map::default(),
            instances: Map::default(),
            empty: RecordId(0),
            merges_parts,
        };
        layout.empty = layout.add_record("nothing".to_owned(), Vec::new());
        for (views, starts) in groups {
            layout.enter(views, starts)?;
        }
        layout.fill()?;
        layout.describe(checked)?;
        layout.name_records();
        layout.types.flatten_again(names);
        layout.name_fields();
        layout.rename()?;
        Some(layout)
    }

    fn add_record(&mut self, name: String, members: Vec<MemberTy>) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(RecordTy {
            name,
            union: false,
            members: Some(members),
            alignment: super::super::ast::Alignment::Unknown,
            layout: None,
            offsets: Vec::new(),
            fields: Vec::new(),
            made: Made::Declared,
            broken: false,
            span: Span::default(),
            merged: None,
        });
        id
    }

    /// Makes the structs of a group.
    fn enter(&mut self, views: Vec<View>, starts: Vec<i128>) -> Option<()> {
        if let [(class, record)] = views[..] {
            let count = self.instances.keys().filter(|(_, r)| *r == record).count();
            let id = match count {
                0 => record,
                _ => self.copy_of(record),
            };
            self.instances.insert((class, record), id);
            return Some(());
        }
        let largest = *views.iter().max_by_key(|(_, r)| self.types.record(*r).layout.map_or(0, |l| l.0))?;
        let name = self.types.record(largest.1).name.clone();
        let group = self.groups.len();
        for view @ (class, record) in &views {
            let known = self.flow.classes.known(*class);
            if known.vague || known.exposed || self.types.record(*record).union {
                return None;
            }
            let id = self.copy_of(*record);
            self.instances.insert(*view, id);
            self.merged.insert(*class, group);
        }
        let record = self.add_record(name, Vec::new());
        self.groups.push(Group { record, views, starts });
        Some(())
    }

    fn copy_of(&mut self, record: RecordId) -> RecordId {
        let id = RecordId(self.types.records.len() as u32);
        self.types.records.push(self.types.record(record).clone());
        id
    }

    /// Whether objects of the class are merged with others.
    pub(super) fn group(&mut self, class: Class) -> Option<usize> {
        let class = self.flow.classes.find(class);
        self.merged.get(&class).copied()
    }

    /// The merged struct of a class.
    pub(super) fn merged_record(&mut self, class: Class) -> Option<RecordId> {
        self.group(class).map(|group| self.groups[group].record)
    }

    /// The member of the merged struct for a view.
    pub(super) fn member(&mut self, class: Class, record: RecordId) -> Option<u32> {
        let class = self.flow.classes.find(class);
        let group = self.merged.get(&class)?;
        let position = self.groups[*group].views.iter().position(|view| *view == (class, record))?;
        Some(position as u32)
    }

    /// What objects of a merged class can be: its views stand together.
    pub(super) fn kinds_of(&mut self, class: Class) -> Option<std::ops::Range<u32>> {
        let class = self.flow.classes.find(class);
        let views = &self.groups[*self.merged.get(&class)?].views;
        let first = views.iter().position(|(c, _)| *c == class)?;
        let count = views[first..].iter().take_while(|(c, _)| *c == class).count();
        Some(first as u32..(first + count) as u32)
    }

    /// Where objects of a merged class begin.
    pub(super) fn start(&mut self, class: Class) -> Option<i128> {
        let class = self.flow.classes.find(class);
        let group = &self.groups[*self.merged.get(&class)?];
        let position = group.views.iter().position(|(c, _)| *c == class)?;
        Some(group.starts[position])
    }

    /// Whether a pointer to a part is a pointer to the whole.
    pub(super) fn merges_parts(&self) -> bool {
        self.merges_parts
    }

    /// Whether structs were merged.
    pub(super) fn merges(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The struct that stands where a part is left out.
    pub(super) fn is_empty(&self, record: RecordId) -> bool {
        record == self.empty
    }

    /// The struct for a view.
    pub(super) fn instance(&mut self, class: Class, record: RecordId) -> RecordId {
        let class = self.flow.classes.find(class);
        self.instances.get(&(class, record)).copied().unwrap_or(record)
    }

    /// The type of objects of the class that were declared as `ty`.
    pub(super) fn object_type(&mut self, class: Class, ty: &Ty) -> Ty {
        self.type_at(class, ty, 0)
    }

    fn type_at(&mut self, class: Class, ty: &Ty, depth: u32) -> Ty {
        match ty {
            Ty::Pointer(inner) => {
                let behind = self.flow.classes.behind(class);
                self.type_at(behind, inner, depth + 1).pointer()
            }
            Ty::Array(element, length) => Ty::Array(Arc::new(self.type_at(class, element, depth)), *length),
            Ty::Record(id) if self.types.opaque != Some(*id) => match self.merged_record(class) {
                Some(merged) => Ty::Record(merged),
                None => Ty::Record(self.instance(class, *id)),
            },
            Ty::Record(_) | Ty::Void => self.unnamed_type(class, ty, depth),
            _ => ty.clone(),
        }
    }

    /// The type of what a `void *` leads to.
    fn unnamed_type(&mut self, class: Class, ty: &Ty, depth: u32) -> Ty {
        let known = self.flow.classes.known(class).clone();
        if let Some(merged) = self.merged_record(class) {
            return Ty::Record(merged);
        }
        let unknown = || self.types.opaque.map_or(ty.clone(), Ty::Record);
        if known.vague {
            return unknown();
        }
        match (known.records.first(), &known.scalars[..], known.pointer) {
            (Some(record), [], false) if known.records.len() == 1 => {
                Ty::Record(self.instance(class, *record))
            }
            (None, [scalar @ Ty::Int(_)], false) => scalar.clone(),
            // A pointer may lead to itself.
            (None, [], true) if depth < MAX_POINTERS => {
                let behind = self.flow.classes.behind(class);
                self.type_at(behind, &Ty::Void, depth + 1).pointer()
            }
            _ => unknown(),
        }
    }

    /// Gives the members of all structs their types.
    fn fill(&mut self) -> Option<()> {
        let mut views: Vec<(View, RecordId)> = self.instances.iter().map(|(v, id)| (*v, *id)).collect();
        views.sort();
        for ((class, record), id) in views {
            let group = self.group(class);
            let fields = self.flow.classes.known(class).fields.clone();
            let count = self.types.record(id).members.as_ref().map_or(0, Vec::len);
            for index in 0..count as u32 {
                let Some(inside) = fields.get(&(record, index)).copied() else { continue };
                let declared = self.flow.types.member_at(record, index)?.ty.clone();
                let own = self.group(inside);
                let same = group.is_some() && own == group;
                let ty = match &declared {
                    Ty::Record(_) if same => Ty::Record(self.empty),
                    Ty::Array(element, _) if same && matches!(**element, Ty::Record(_)) => return None,
                    declared => self.object_type(inside, declared),
                };
                if let (Ty::Record(part), true) = (&declared, own.is_some() && !same) {
                    let kind = self.member(inside, *part)?;
                    self.kinds.members.insert((id, index), kind);
                }
                let members = self.types.records[id.0 as usize].members.as_mut()?;
                members[index as usize].ty = ty;
            }
        }
        Some(())
    }

    /// Members and kinds of the merged structs.
    fn describe(&mut self, checked: &Checked) -> Option<()> {
        self.variable_kinds(checked)?;
        let made: Set<Class> = {
            let allocated = self.flow.allocated.clone();
            allocated.into_iter().map(|class| self.flow.classes.find(class)).collect()
        };
        for index in 0..self.groups.len() {
            let (views, starts) = (self.groups[index].views.clone(), self.groups[index].starts.clone());
            let record = self.groups[index].record;
            let mut members = Vec::new();
            let mut kinds = Vec::new();
            for (position, view @ (class, of)) in views.iter().enumerate() {
                let name = self.part_name(*view, &views);
                let ty = Ty::Record(self.instances[view]);
                members.push(MemberTy { name, ty, width: None, ghost: false, span: Span::default() });
                let mut owns = Vec::new();
                self.owned(*view, index, &mut owns)?;
                let size = self.flow.types.record(*of).layout.map(|(size, _)| i128::from(size));
                let part = self.kinds.members.iter().any(|((around, member), kind)| {
                    let ty = self.types.member_at(*around, *member).map(|m| &m.ty);
                    *kind == position as u32 && ty == Some(&Ty::Record(record))
                });
                let loose = part || made.contains(class);
                let start = starts[position];
                kinds.push(Kind { record: *of, size, start, owns, loose, inside: part });
            }
            let partial = |kind: &Kind| kind.loose && kind.owns.len() < kinds.len();
            let tag = kinds.iter().any(partial).then_some(members.len() as u32);
            if tag.is_some() {
                let ty = Ty::Int(IntKind::INT);
                members.push(MemberTy { name: None, ty, width: None, ghost: false, span: Span::default() });
            }
            let entry = &mut self.types.records[record.0 as usize];
            entry.members = Some(members);
            entry.merged = Some(Arc::new(Merged { kinds, tag }));
        }
        Some(())
    }

    fn variable_kinds(&mut self, checked: &Checked) -> Option<()> {
        for function in 0..self.flow.functions.len() as u32 {
            for local in 0..self.flow.functions[function as usize].locals.len() as u32 {
                let ty = self.flow.functions[function as usize].locals[local as usize].ty.clone();
                let Ty::Record(record) = ty else { continue };
                let class = self.flow.variable(function, Variable::Local(local));
                if self.group(class).is_some() {
                    let kind = self.member(class, record)?;
                    self.kinds.locals.insert((function, local), kind);
                }
            }
        }
        for (index, global) in checked.globals.iter().enumerate() {
            let Ty::Record(record) = global.ty else { continue };
            let class = self.flow.variable(u32::MAX, Variable::Global(index as u32));
            if self.group(class).is_some() {
                let kind = self.member(class, record)?;
                self.kinds.globals.insert(index as u32, kind);
            }
        }
        Some(())
    }

    /// The members of the merged struct that an object has, each once.
    fn owned(&mut self, (class, record): View, group: usize, owned: &mut Vec<u32>) -> Option<()> {
        let member = self.member(class, record)?;
        if owned.contains(&member) {
            return None;
        }
        owned.push(member);
        let members = self.flow.types.record(record).members.clone().unwrap_or_default();
        for (index, member) in (0..).zip(&members) {
            let inside = self.flow.classes.known(class).fields.get(&(record, index)).copied();
            if let (Ty::Record(part), Some(inside)) = (&member.ty, inside)
                && self.group(inside) == Some(group)
            {
                let inside = self.flow.classes.find(inside);
                self.owned((inside, *part), group, owned)?;
            }
        }
        Some(())
    }
}
