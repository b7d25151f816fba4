//! Several units linked to one program.
//!
//! Each unit has its own file scope: typedefs, tags, enumerators, `static` names, predicates. Functions and globals with
//! external linkage are shared by name. A struct of a later unit is identified with the one of an earlier unit that has
//! its tag (without a tag: that stands at the same place of the same header) if the members agree; C calls such types
//! compatible. Agreement is assumed until a definition shows otherwise, because members may lead back to the struct
//! itself; then that pair is noted as different and checking begins again.

use super::super::ast::{self, Alignment};
use super::super::token::Name;
use super::super::types::{MemberTy, RecordId};
use super::{Checker, Entity, Predicate, Scope};
use crate::frontend::diagnostic::{Diagnostic, Sources, Span};
use crate::util::hash::{Map, Set};
use std::rc::Rc;

/// What tells which structs of other units may be the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    /// A tag at file scope, of a union or not.
    Tag(Name, bool),
    /// No tag: the file and the position in it.
    Place(String, u32),
}

/// In this unit, the struct is not the candidate of that number.
pub(super) type Difference = (usize, Origin, usize);

/// What a unit has for itself.
#[derive(Default)]
pub(super) struct Room {
    scope: Scope,
    predicates: Map<Name, Rc<Predicate>>,
    broken: Vec<Name>,
    unmodelled: Vec<Name>,
}

/// What units share.
pub(super) struct Linked<'a> {
    sources: &'a Sources,
    apart: &'a Set<Difference>,
    found: Set<Difference>,
    /// The unit that is checked; `None`: the whole program.
    unit: Option<usize>,
    /// Functions and globals with external linkage.
    external: Map<Name, Entity>,
    /// The structs of each origin, in the order of their appearance.
    candidates: Map<Origin, Vec<RecordId>>,
    /// Where a struct came from in a unit.
    origins: Map<(usize, RecordId), (Origin, usize)>,
    /// The item that completes a struct in a unit.
    completed: Map<(usize, RecordId), u32>,
    /// Which globals are `static`, with their unit.
    statics: Vec<(u32, usize)>,
    /// The unit and place that define a global, and whether by an initialiser.
    defined: Map<u32, (usize, Span, bool)>,
    /// The unit and place of the contract that a function has.
    contracts: Map<u32, (usize, Span)>,
}

impl<'a> Linked<'a> {
    pub(super) fn new(sources: &'a Sources, apart: &'a Set<Difference>) -> Linked<'a> {
        Linked {
            sources,
            apart,
            found: Set::default(),
            unit: None,
            external: Map::default(),
            candidates: Map::default(),
            origins: Map::default(),
            completed: Map::default(),
            statics: Vec::new(),
            defined: Map::default(),
            contracts: Map::default(),
        }
    }

    pub(super) fn take_differences(&mut self) -> Set<Difference> {
        std::mem::take(&mut self.found)
    }
}

impl Checker<'_> {
    /// What follows belongs to this unit.
    pub(super) fn enter(&mut self, unit: usize, room: &mut Room) {
        self.linked.unit = Some(unit);
        self.exchange(room);
    }

    /// The unit is done for now.
    pub(super) fn leave(&mut self, room: &mut Room) {
        self.exchange(room);
        self.linked.unit = None;
    }

    fn exchange(&mut self, room: &mut Room) {
        std::mem::swap(&mut self.scopes[0], &mut room.scope);
        std::mem::swap(&mut self.predicates, &mut room.predicates);
        std::mem::swap(&mut self.broken, &mut room.broken);
        std::mem::swap(&mut self.unmodelled, &mut room.unmodelled);
    }

    fn unit(&self) -> usize {
        self.linked.unit.unwrap_or(0)
    }

    /// What a name of file scope stands for, here or, if it is not private to this unit, in another unit.
    pub(super) fn file_name(&self, name: Name, private: bool) -> Option<Entity> {
        let here = self.scopes[0].names.get(&name);
        here.or_else(|| self.linked.external.get(&name).filter(|_| !private)).cloned()
    }

    /// Enters a function or global at file scope.
    pub(super) fn enter_file_name(&mut self, name: Name, entity: Entity, private: bool) {
        // Declared again without `static`, it stays private.
        let private = private || self.is_private(&entity);
        if !private {
            self.linked.external.insert(name, entity.clone());
        }
        self.scopes[0].names.insert(name, entity);
    }

    fn is_private(&self, entity: &Entity) -> bool {
        match entity {
            Entity::Var(super::Variable::Global(index)) => {
                self.linked.statics.iter().any(|(i, _)| i == index)
            }
            Entity::Function(index) => self.checked.functions[*index as usize].private,
            _ => false,
        }
    }

    /// A `static` global of this unit.
    pub(super) fn note_static(&mut self, index: u32) {
        self.linked.statics.push((index, self.unit()));
    }

    /// A definition of a global; complains if another one exists.
    pub(super) fn note_definition(&mut self, index: u32, span: Span, initialised: bool) {
        let unit = self.unit();
        let Some(&(before, first, first_initialised)) = self.linked.defined.get(&index) else {
            self.linked.defined.insert(index, (unit, span, initialised));
            return;
        };
        let name = self.checked.globals[index as usize].name.clone();
        if initialised && first_initialised {
            let text = format!("`{name}` is defined twice");
            let complaint = Diagnostic::error("redefinition", span, text).label(first, "first here");
            self.sink.push(complaint.help(self.also_here(first)));
        } else if before != unit {
            let text = format!("`{name}` is defined in several files; many linkers refuse that");
            let warning =
                Diagnostic::warning("redefinition", span, text).help("declare it `extern` in all but one");
            self.sink.push(warning);
        }
        self.linked.defined.insert(index, (unit, span, initialised || first_initialised));
    }

    /// The place of a first definition, which may be in another file.
    pub(super) fn also_here(&self, first: Span) -> String {
        let at = self.linked.sources.presumed(first);
        format!("the first definition is {}:{}:{}", at.file, at.line, at.column)
    }

    /// Two `static` globals of one name get different ones.
    pub(super) fn tell_statics_apart(&mut self) {
        for (index, _) in std::mem::take(&mut self.linked.statics) {
            let name = self.checked.globals[index as usize].name.clone();
            let others =
                self.checked.globals.iter().enumerate().any(|(i, g)| i != index as usize && g.name == name);
            if others {
                let span = self.checked.globals[index as usize].span;
                let file = self.linked.sources.presumed(span).file;
                let file = file.rsplit('/').next().unwrap_or_default();
                self.checked.globals[index as usize].name = format!("{file}::{name}");
            }
        }
    }

    /// A contract of the function from another unit counts already. Both units may have read it in one header.
    pub(super) fn has_linked_contract(&mut self, index: u32, span: Span) -> bool {
        let unit = self.unit();
        let (before, known) = *self.linked.contracts.entry(index).or_insert((unit, span));
        if before == unit {
            return false;
        }
        let place = |s: Span| {
            let source = self.linked.sources.source_of(s.start);
            source.map(|source| (&source.name, s.start - source.base))
        };
        if place(known) != place(span) {
            let text = "the function has a contract in another file already; this one has no effect";
            self.sink.push(Diagnostic::warning("annotation", span, text));
        }
        true
    }

    /// The struct of an earlier unit that a struct of this unit is taken for; otherwise `new` makes one.
    pub(super) fn identified(
        &mut self,
        record: &ast::Record,
        new: impl FnOnce(&mut Self) -> RecordId,
    ) -> RecordId {
        let origin = match record.tag {
            // Types of blocks are private to them.
            _ if self.scopes.len() > 1 => return new(self),
            Some(tag) => Origin::Tag(tag, record.union),
            None => match self.linked.sources.source_of(record.span.start) {
                Some(source) => Origin::Place(source.name.clone(), record.span.start - source.base),
                None => return new(self),
            },
        };
        let unit = self.unit();
        let candidates = self.linked.candidates.get(&origin).cloned().unwrap_or_default();
        let fits = |n: &usize| {
            let other = !self.linked.origins.contains_key(&(unit, candidates[*n]));
            other && !self.linked.apart.contains(&(unit, origin.clone(), *n))
        };
        let number = (0..candidates.len()).find(fits);
        let (id, number) = match number {
            Some(number) => (candidates[number], number),
            None => (new(self), candidates.len()),
        };
        if number == candidates.len() {
            self.linked.candidates.entry(origin.clone()).or_default().push(id);
        }
        self.linked.origins.insert((unit, id), (origin, number));
        id
    }

    /// A struct gets its members in this unit.
    pub(super) fn note_completed(&mut self, id: RecordId) {
        let unit = self.unit();
        self.linked.completed.insert((unit, id), self.item);
    }

    /// Whether this unit has defined a struct.
    pub(super) fn is_defined_here(&self, id: RecordId) -> bool {
        self.linked.completed.contains_key(&(self.unit(), id))
    }

    /// Whether the members of a struct are known at the item that is checked.
    pub(crate) fn is_complete(&self, id: RecordId) -> bool {
        let known = self.types.record(id).members.is_some();
        let Some(unit) = self.linked.unit else { return known };
        let opaque = self.types.opaque == Some(id);
        let here = self.linked.completed.get(&(unit, id)).is_some_and(|item| *item <= self.item);
        known && (here || opaque)
    }

    /// A struct that an earlier unit has defined is defined here: if not alike, they are different ones.
    pub(super) fn compare_members(&mut self, id: RecordId, members: &[MemberTy], alignment: Alignment) {
        let record = self.types.record(id);
        let alike = |a: &MemberTy, b: &MemberTy| {
            (a.name, &a.ty, a.width, a.ghost) == (b.name, &b.ty, b.width, b.ghost)
        };
        let same = record.alignment == alignment
            && record.members.as_ref().is_some_and(|known| {
                known.len() == members.len() && known.iter().zip(members).all(|(a, b)| alike(a, b))
            });
        let unit = self.unit();
        if !same && let Some((origin, number)) = self.linked.origins.get(&(unit, id)).cloned() {
            self.linked.found.insert((unit, origin, number));
        }
    }
}
