//! Structs inside structs whose address is used: `&p->inner`.
//!
//! Everywhere else a struct inside another is its fields (`layout`). Where the unit takes its address as a value, such
//! a *part* is a cell of its own: the cell around has a link to it and it has a link back, both written once,
//! when the two are allocated together. The part ends its life with the cell around it, and `free` of it is an error: a
//! cell that leads back to another was not allocated by itself. On the heap it is a cell of the heap, so that it keeps nothing
//! alive at the end that nobody reaches. Pointers from outside may lead anywhere into objects: in a function
//! that is verified by itself all structs inside others are parts to which any pointer of the unit may lead, and its precondition
//! says that each part at the entry belongs to the one cell around it ([`Lowerer::coupled`]). That is done only where a
//! first attempt without parts found that objects may overlap (see `entry`).

use super::super::types::{RecordId, Ty};
use super::{Inside, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::{
    At, Binder, Check, Command, Cond, Expr as Pure, Field, FieldId, Formula, LocationId, Storage, StructId,
    Term, Type, VarId,
};

/// A part of a struct of the program.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Members on the way to it.
    pub(super) path: Vec<u32>,
    pub(super) record: RecordId,
    pub(super) of: StructId,
    /// The link of the cell around.
    pub(super) link: FieldId,
    /// The link back.
    pub(super) back: FieldId,
    /// What it is, if it is of a merged struct.
    kind: Option<u32>,
}

impl Lowerer<'_> {
    /// Whether the path leads into a part of the struct, or to one.
    pub(super) fn crosses(&self, record: RecordId, path: &[u32]) -> bool {
        self.part_paths(record).iter().any(|part| path.starts_with(part))
    }

    /// The paths to the parts of a struct.
    fn part_paths(&self, record: RecordId) -> &[Vec<u32>] {
        match self.inside {
            Inside::None => &[],
            Inside::Taken => self.unit.usage.parts(record),
            Inside::All => self.unit.usage.pointed_parts(record),
        }
    }

    /// Makes the links of a struct that was just entered.
    pub(super) fn add_parts(&mut self, record: RecordId, of: StructId, span: Span) -> Lowering<()> {
        for path in self.part_paths(record).to_vec() {
            let Some(Ty::Record(inner)) = self.unit.types.part_type(record, &path).cloned() else { continue };
            let inside = self.struct_id(inner, span)?;
            let name = self.unit.types.path_name(record, &path, self.unit.names);
            let around = self.unit.types.record(record).name.clone();
            let field = |name: String, owner: StructId, to: StructId| Field {
                name,
                owner,
                ty: Type::Ptr(to),
                ghost: false,
            };
            let link = self.program.add_field(field(format!("&{name}"), of, inside));
            let back = self.program.add_field(field(format!("&{name} of {around}"), inside, of));
            let kind = self.part_kind(record, &path);
            let part = Part { path, record: inner, of: inside, link, back, kind };
            self.parts.entry(of).or_default().push(part);
        }
        Ok(())
    }

    fn part_kind(&self, record: RecordId, path: &[u32]) -> Option<u32> {
        let (last, before) = path.split_last()?;
        let around = match before {
            [] => record,
            before => match self.unit.types.part_type(record, before)? {
                Ty::Record(around) => *around,
                _ => return None,
            },
        };
        self.unit.checked.kinds.members.get(&(around, *last)).copied()
    }

    /// Follows links to parts: the same object, with a path that crosses none.
    pub(super) fn descend(
        &mut self,
        mut ptr: VarId,
        mut record: RecordId,
        mut path: Vec<u32>,
        span: Span,
    ) -> Lowering<(VarId, RecordId, Vec<u32>)> {
        loop {
            let of = self.struct_id(record, span)?;
            let parts = self.parts.get(&of).map_or(&[][..], |parts| parts);
            let Some(part) = parts.iter().find(|part| path.starts_with(&part.path)).cloned() else {
                return Ok((ptr, record, path));
            };
            let inside = self.temp(Type::Ptr(part.of), span);
            self.emit(Command::Load { to: inside, from: ptr, field: part.link }, span);
            path.drain(..part.path.len());
            (ptr, record) = (inside, part.record);
        }
    }

    /// The field at the end of a path in a formula, where `base` points to the struct.
    pub(super) fn field_term(
        &mut self,
        (record, path): (RecordId, &[u32]),
        at: At,
        base: Term,
        span: Span,
    ) -> Lowering<Term> {
        let of = self.struct_id(record, span)?;
        let parts = self.parts.get(&of).map_or(&[][..], |parts| parts);
        if let Some(part) = parts.iter().find(|part| path.starts_with(&part.path)).cloned() {
            let inside = Term::Field(part.link, at, Box::new(base));
            return self.field_term((part.record, &path[part.path.len()..]), at, inside, span);
        }
        match self.unit.types.field(record, path) {
            Some(field) => Ok(Term::Field(self.field(field, span)?, at, Box::new(base))),
            None => self.unsupported(span, "this member is not modelled"),
        }
    }

    /// The address of the struct at the end of a path in a formula, where `base` points to the struct around.
    pub(super) fn part_term(
        &mut self,
        (record, path): (RecordId, &[u32]),
        at: At,
        base: Term,
        span: Span,
    ) -> Lowering<Term> {
        if path.is_empty() {
            return Ok(base);
        }
        let of = self.struct_id(record, span)?;
        let parts = self.parts.get(&of).map_or(&[][..], |parts| parts);
        match parts.iter().find(|part| path.starts_with(&part.path)).cloned() {
            Some(part) => {
                let inside = Term::Field(part.link, at, Box::new(base));
                self.part_term((part.record, &path[part.path.len()..]), at, inside, span)
            }
            None => {
                self.overlaps = true;
                self.unsupported(span, "the address of a struct inside another is not modelled here")
            }
        }
    }

    /// Allocates the parts of the cell that `ptr` points to, and those inside them. Returns the pointers to them.
    pub(super) fn begin_parts(
        &mut self,
        ptr: VarId,
        storage: Storage,
        zeroed: bool,
        span: Span,
    ) -> Vec<VarId> {
        self.write_backs(ptr, None, zeroed, span);
        let mut made = Vec::new();
        let mut open = vec![ptr];
        while let Some(around) = open.pop() {
            let Type::Ptr(of) = self.program.vars[around.index()].ty else { continue };
            for part in self.parts.get(&of).cloned().unwrap_or_default() {
                let inside = self.temp(Type::Ptr(part.of), span);
                self.emit(Command::Alloc { to: inside, of: part.of, storage, zeroed }, span);
                self.emit(Command::Store { to: around, field: part.link, value: Pure::Var(inside) }, span);
                self.write_backs(inside, Some((part.back, around)), zeroed, span);
                if let Some(kind) = part.kind {
                    let _ = self.store_kind(inside, part.record, kind, span);
                }
                made.push(inside);
                open.push(inside);
            }
        }
        made
    }

    /// The links back that cells of this kind have, in order.
    fn backs(&self, of: StructId) -> Vec<FieldId> {
        let parts = self.parts.values().flatten();
        let mut backs: Vec<FieldId> = parts.filter(|part| part.of == of).map(|part| part.back).collect();
        backs.sort();
        backs
    }

    /// A new cell leads back to the cell around it, if there is one, and to nothing else.
    fn write_backs(&mut self, cell: VarId, own: Option<(FieldId, VarId)>, zeroed: bool, span: Span) {
        let Type::Ptr(of) = self.program.vars[cell.index()].ty else { return };
        for field in self.backs(of) {
            let value = match (own, self.program.fields[field.index()].ty) {
                (Some((back, around)), _) if back == field => Pure::Var(around),
                (_, Type::Ptr(to)) if !zeroed => Pure::Null(to),
                _ => continue,
            };
            self.emit(Command::Store { to: cell, field, value }, span);
        }
    }

    /// The fields of a struct that the program can name, those of its parts too, each with a pointer to its cell.
    pub(super) fn own_fields(&mut self, ptr: VarId, span: Span) -> Vec<(VarId, FieldId)> {
        let mut links: Vec<FieldId> = Vec::new();
        for part in self.parts.values().flatten() {
            links.extend([part.link, part.back]);
        }
        let mut found = Vec::new();
        let mut open = vec![ptr];
        while let Some(cell) = open.pop() {
            let Type::Ptr(of) = self.program.vars[cell.index()].ty else { continue };
            let fields = self.program.structs[of.index()].fields.iter();
            found.extend(fields.filter(|f| !links.contains(f) && !self.is_tag(**f)).map(|f| (cell, *f)));
            for part in self.parts.get(&of).cloned().unwrap_or_default() {
                let inside = self.temp(Type::Ptr(part.of), span);
                self.emit(Command::Load { to: inside, from: cell, field: part.link }, span);
                open.push(inside);
            }
        }
        found
    }

    /// Enters all structs with parts, so that every cell is allocated with its links.
    pub(super) fn enter_parts(&mut self) {
        if self.inside == Inside::Taken {
            self.enter_structs(&self.unit.usage.around_parts());
        }
    }

    /// Enters these structs. What cannot be entered is complained about where it is used.
    pub(super) fn enter_structs(&mut self, records: &[RecordId]) {
        let kept = self.diagnostics.len();
        for record in records {
            if !self.unit.types.record(*record).union {
                let _ = self.struct_id(*record, self.program.span);
            }
        }
        self.diagnostics.truncate(kept);
    }

    /// What is true of parts when a function is entered: an allocated cell has allocated parts that lead back to it, and
    /// a cell that leads back to another is its part, lives as long and is part of nothing else.
    pub(super) fn coupled(&mut self) -> Vec<Formula> {
        let mut parts: Vec<(StructId, Part)> = Vec::new();
        for (of, inside) in &self.parts {
            parts.extend(inside.iter().map(|part| (*of, part.clone())));
        }
        parts.sort_by_key(|(_, part)| part.link);
        let step = |field: FieldId, from: Term| Term::Field(field, At::Now, Box::new(from));
        let valid = |term: Term| Formula::Valid(term, At::Now);
        let mut formulas = Vec::new();
        for (i, (of, part)) in parts.iter().enumerate() {
            for (other, earlier) in parts[..i].iter().filter(|(_, earlier)| earlier.of == part.of) {
                let id = self.program.add_bound();
                let none = |back: FieldId, around: StructId| {
                    Formula::eq(step(back, Term::Bound(id)), Term::Null(around))
                };
                let binder = Binder { id, name: "part".to_owned(), of: Some(part.of) };
                let body = Formula::Or(vec![none(part.back, *of), none(earlier.back, *other)]);
                formulas.push(Formula::Forall(binder, Box::new(body)));
            }
        }
        for (of, part) in parts {
            let id = self.program.add_bound();
            let around = Term::Bound(id);
            let inside = step(part.link, around.clone());
            let belongs = Formula::eq(step(part.back, inside.clone()), around.clone());
            let whole = Formula::all([valid(inside), belongs]);
            let binder = Binder { id, name: "around".to_owned(), of: Some(of) };
            let body = Formula::Implies(Box::new(valid(around)), Box::new(whole));
            formulas.push(Formula::Forall(binder, Box::new(body)));
            let id = self.program.add_bound();
            let inside = Term::Bound(id);
            let around = step(part.back, inside.clone());
            let same = Formula::eq(step(part.link, around.clone()), inside.clone());
            let alive = Formula::Iff(Box::new(valid(inside)), Box::new(valid(around.clone())));
            let binder = Binder { id, name: "part".to_owned(), of: Some(part.of) };
            let led = Formula::ne(around, Term::Null(of));
            let body = Formula::Implies(Box::new(led), Box::new(Formula::all([same, alive])));
            formulas.push(Formula::Forall(binder, Box::new(body)));
        }
        formulas
    }

    /// `free` of a cell that may have parts: they end their life before it does.
    pub(super) fn free_with_parts(&mut self, ptr: VarId, of: StructId, span: Span) {
        let end = self.program.add_location();
        self.free_around(ptr, of, end, span);
        self.check_no_part(ptr, of, span);
        if !self.parts.contains_key(&of) {
            self.emit_to(end, Command::Free(ptr), span);
            self.here = end;
            return;
        }
        let null = Cond::eq(Pure::Var(ptr), Pure::Null(of));
        let start = self.here;
        self.emit_to(end, Command::Assume(null.clone()), span);
        self.here = start;
        self.emit(Command::Assume(null.negated()), span);
        self.check_not_freed(ptr, span);
        let inside = self.parts_inside(ptr, of, span);
        self.emit(Command::Free(ptr), span);
        for part in inside {
            self.emit(Command::Free(part), span);
        }
        self.emit_to(end, Command::Skip, span);
        self.here = end;
    }

    /// `free` of the first member of a struct is `free` of the struct: they have the same address.
    fn free_around(&mut self, ptr: VarId, of: StructId, end: LocationId, span: Span) {
        let first = |part: &&Part| part.of == of && part.path.iter().all(|index| *index == 0);
        let mut backs: Vec<FieldId> = self.parts.values().flatten().filter(first).map(|p| p.back).collect();
        backs.sort();
        for back in backs {
            let Type::Ptr(outer) = self.program.fields[back.index()].ty else { continue };
            let led = Term::Field(back, At::Now, Box::new(Term::Var(ptr, At::Now)));
            let alone = Formula::eq(led, Term::Null(outer));
            let (start, other) = (self.here, self.program.add_location());
            self.emit_to(other, Command::Suppose(alone.clone()), span);
            self.here = start;
            self.emit(Command::Suppose(alone.negate()), span);
            self.check_not_freed(ptr, span);
            let around = self.temp(Type::Ptr(outer), span);
            self.emit(Command::Load { to: around, from: ptr, field: back }, span);
            self.free_with_parts(around, outer, span);
            self.emit_to(end, Command::Skip, span);
            self.here = other;
        }
    }

    /// A cell that was freed has nothing to look for, and that is what is wrong.
    pub(super) fn check_not_freed(&mut self, ptr: VarId, span: Span) {
        let formula = Formula::Freed(Term::Var(ptr, At::Now), At::Now).negate();
        let what = "free of a freed cell".to_owned();
        self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
    }

    /// The cell leads back to no other.
    fn check_no_part(&mut self, ptr: VarId, of: StructId, span: Span) {
        for back in self.backs(of) {
            let Type::Ptr(around) = self.program.fields[back.index()].ty else { continue };
            let led = Term::Field(back, At::Now, Box::new(Term::Var(ptr, At::Now)));
            let formula = Formula::eq(led, Term::Null(around));
            let what = "free of a part of an object".to_owned();
            self.emit(Command::Assert { formula, check: Check::Memsafety, what }, span);
        }
    }

    /// Pointers to the parts of a cell, and to those inside them.
    fn parts_inside(&mut self, ptr: VarId, of: StructId, span: Span) -> Vec<VarId> {
        let mut open = vec![(ptr, of)];
        let mut inside = Vec::new();
        while let Some((around, of)) = open.pop() {
            for part in self.parts.get(&of).cloned().unwrap_or_default() {
                let temp = self.temp(Type::Ptr(part.of), span);
                self.emit(Command::Load { to: temp, from: around, field: part.link }, span);
                inside.push(temp);
                open.push((temp, part.of));
            }
        }
        inside
    }
}
