//! Objects of merged structs (module `objects`): one kind of cells for several structs of the unit, of which an object has
//! only some.
//!
//! Variables are known by their address, so an access that a variable cannot have is compared with it. Where objects of
//! different kinds lie on the heap, each says in a field of its own which kind it is. An access outside of the object is
//! an error; one inside it, with a type that the object does not have there, has no model: whoever reaches it knows
//! nothing more ([`UNMODELLED`]).

use super::super::hir::{Demand, Variable};
use super::super::types::{Merged, RecordId, Ty};
use super::expression::Value;
use super::{Binding, Lowerer, Lowering};
use crate::frontend::diagnostic::Span;
use crate::program::trace::UNMODELLED;
use crate::program::{At, Check, Command, Cond, Expr as Pure, Formula, StructId, Term, Type, VarId};
use std::sync::Arc;

impl Lowerer<'_> {
    fn merged(&self, record: RecordId) -> Option<Arc<Merged>> {
        self.unit.types.record(record).merged.clone()
    }

    /// The struct of the unit that cells of this kind are.
    fn merged_cells(&self, of: StructId) -> Option<(RecordId, Arc<Merged>)> {
        let (record, _) = self.structs.iter().find(|(_, id)| **id == of)?;
        Some((*record, self.merged(*record)?))
    }

    /// Globals of merged structs exist from the beginning.
    pub(super) fn enter_merged(&mut self) {
        let mut globals: Vec<u32> = self.unit.checked.kinds.globals.keys().copied().collect();
        globals.sort_unstable();
        for global in globals {
            self.global(global);
        }
    }

    /// Takes note of a variable of a merged struct.
    pub(super) fn note_kind(&mut self, function: u32, variable: Variable, binding: &Binding) {
        let Binding::Struct(var, record) = binding else { return };
        let kinds = &self.unit.checked.kinds;
        let kind = match variable {
            Variable::Local(local) => kinds.locals.get(&(function, local)),
            Variable::Global(global) => kinds.globals.get(&global),
        };
        if let Some(kind) = kind {
            self.lone.push((*var, *record, *kind));
        }
    }

    /// A new object's kind is written down, if objects of its struct say it.
    pub(super) fn store_kind(
        &mut self,
        cell: VarId,
        record: RecordId,
        kind: u32,
        span: Span,
    ) -> Lowering<()> {
        let Some(tag) = self.merged(record).and_then(|merged| merged.tag) else { return Ok(()) };
        let Some(field) = self.unit.types.field(record, &[tag]) else { return Ok(()) };
        let field = self.field(field, span)?;
        self.emit(Command::Store { to: cell, field, value: Pure::Int(i128::from(kind)) }, span);
        Ok(())
    }

    /// The same for a variable.
    pub(super) fn store_variable_kind(&mut self, cell: VarId, span: Span) {
        if let Some((_, record, kind)) = self.lone.iter().find(|(var, ..)| *var == cell).copied() {
            let _ = self.store_kind(cell, record, kind, span);
        }
    }

    /// The field that says the kind, in this program.
    pub(super) fn is_tag(&self, field: crate::program::FieldId) -> bool {
        self.structs.keys().any(|record| {
            let tag = self.merged(*record).and_then(|merged| merged.tag);
            tag.and_then(|tag| self.unit.types.field(*record, &[tag]))
                .is_some_and(|tag| self.fields.get(&tag) == Some(&field))
        })
    }

    /// The kind of an object that is allocated with this size.
    pub(super) fn allocated_kind(
        &mut self,
        record: RecordId,
        bytes: Option<i128>,
        named: Option<&Ty>,
    ) -> Option<u32> {
        let merged = self.merged(record)?;
        let making = self.making.take_if(|(of, ..)| *of == record);
        let (first, end) = making.map_or((0, merged.kinds.len() as u32), |(_, first, end)| (first, end));
        let fits = |index: u32| (first..end).contains(&index);
        let loose = (0..).zip(&merged.kinds).filter(|(index, kind)| kind.loose && fits(*index));
        let by_name = loose.clone().filter(|(_, kind)| named == Some(&Ty::Record(kind.record)));
        let by_size = loose.filter(|(_, kind)| bytes.is_some() && kind.size == bytes);
        let mut found: Vec<u32> = by_name.map(|(index, _)| index).collect();
        if found.is_empty() {
            found = by_size.map(|(index, _)| index).collect();
        }
        match found[..] {
            [kind] => Some(kind),
            _ => None,
        }
    }

    /// What is wrong with a run.
    fn demand(&mut self, formula: Formula, what: &str, span: Span) {
        self.emit(Command::Assert { formula, check: Check::Memsafety, what: what.to_owned() }, span);
    }

    /// Where this is false, there is no model.
    fn rely(&mut self, formula: Formula, what: &str, span: Span) {
        let check = self.unit.options.precondition();
        self.emit(Command::Assert { formula, check, what: format!("{UNMODELLED}{what}") }, span);
    }

    /// An object that the pointer leads to has the member that the path begins with.
    pub(super) fn check_view(
        &mut self,
        ptr: VarId,
        (record, path): (RecordId, &[u32]),
        ty: &Ty,
        span: Span,
    ) -> Lowering<()> {
        let Some(merged) = self.merged(record) else { return Ok(()) };
        let Some((&member, rest)) = path.split_first() else { return Ok(()) };
        let Some(view) = merged.kinds.get(member as usize) else { return Ok(()) };
        let lacking = |kind: u32| !merged.kinds[kind as usize].owns.contains(&member);
        let all: Vec<u32> = (0..merged.kinds.len() as u32).filter(|kind| lacking(*kind)).collect();
        if all.is_empty() {
            return Ok(());
        }
        let size = self.unit.types.layout(ty).map(|(size, _)| i128::from(size));
        let offset = self.offset(record, member, rest);
        let inside = |kind: u32| {
            let kind = &merged.kinds[kind as usize];
            match (offset, size, kind.size) {
                (Some(offset), Some(size), Some(whole)) if !kind.inside => {
                    let begin = view.start + offset;
                    begin + size > kind.start && begin < kind.start + whole
                }
                _ => true,
            }
        };
        let tag = match all.iter().any(|kind| merged.kinds[*kind as usize].loose) {
            true => self.load_kind(ptr, record, &merged, span)?,
            false => None,
        };
        for modelled in [true, false] {
            let mut wrong = Vec::new();
            for kind in all.iter().filter(|kind| inside(**kind) != modelled) {
                if let (Some(tag), true) = (tag, merged.kinds[*kind as usize].loose) {
                    wrong.push(Formula::ne(Term::Var(tag, At::Now), Term::Int(i128::from(*kind))));
                }
                for (var, of, own) in &self.lone {
                    if *of == record && own == kind {
                        wrong.push(Formula::ne(Term::Var(ptr, At::Now), Term::Var(*var, At::Now)));
                    }
                }
            }
            match (wrong.is_empty(), modelled) {
                (true, _) => {}
                (false, true) => self.demand(Formula::all(wrong), "access beyond the object", span),
                (false, false) => {
                    self.rely(Formula::all(wrong), "an access with another type than the object's", span)
                }
            }
        }
        Ok(())
    }

    /// Bytes from the beginning of the member to what lies at the end of the path inside it.
    fn offset(&self, record: RecordId, member: u32, path: &[u32]) -> Option<i128> {
        let Ty::Record(mut at) = self.unit.types.member_at(record, member)?.ty else { return None };
        let mut bytes = 0;
        for index in path {
            bytes += i128::from(self.unit.types.record(at).offsets.get(*index as usize)?.byte);
            if let Ty::Record(inner) = self.unit.types.member_at(at, *index)?.ty {
                at = inner;
            }
        }
        Some(bytes)
    }

    fn load_kind(
        &mut self,
        from: VarId,
        record: RecordId,
        merged: &Merged,
        span: Span,
    ) -> Lowering<Option<VarId>> {
        let Some(tag) = merged.tag.and_then(|tag| self.unit.types.field(record, &[tag])) else {
            return Ok(None);
        };
        let field = self.field(tag, span)?;
        let to = self.temp_int(span);
        self.emit(Command::Load { to, from, field }, span);
        Ok(Some(to))
    }

    /// A pointer of which something is demanded.
    pub(super) fn moved(&mut self, value: Value, demand: Demand, span: Span) -> Lowering<Value> {
        if demand == Demand::Called {
            self.rely(Formula::Const(false), "a call of something else than a function of the program", span);
            self.here = self.program.add_location();
            return Ok(Value::Void);
        }
        let (pointer, of) = match (value, demand) {
            (Value::Ptr(pointer, of), _) => (pointer, of),
            (Value::Null, Demand::NotNull | Demand::Around(..)) => {
                self.rely(Formula::Const(false), "a part of a null pointer", span);
                return Ok(Value::Null);
            }
            (value, _) => return Ok(value),
        };
        let var = self.in_var(pointer, Type::Ptr(of), span);
        match demand {
            Demand::NotNull => {
                let formula = Formula::ne(Term::Var(var, At::Now), Term::Null(of));
                self.rely(formula, "a part of a null pointer", span);
            }
            Demand::Begins(start) => self.begins(var, of, start, span)?,
            Demand::Around(record, index) => return self.around(var, of, (record, index), span),
            Demand::Called | Demand::Made(..) => {}
        }
        Ok(Value::Ptr(Pure::Var(var), of))
    }

    /// The object that a part belongs to. Computing its address looks at nothing, so what cannot be looked at has no model.
    fn around(
        &mut self,
        part: VarId,
        of: StructId,
        (record, index): (RecordId, u32),
        span: Span,
    ) -> Lowering<Value> {
        let around = self.struct_id(record, span)?;
        let parts = self.parts.get(&around).map_or(&[][..], |parts| parts);
        let what = "an object that is not known to be a part of another";
        let Some(found) = parts.iter().find(|part| part.path == [index] && part.of == of).cloned() else {
            // Nobody takes the address of that member.
            self.rely(Formula::Const(false), what, span);
            return Ok(Value::Null);
        };
        self.rely(Formula::Valid(Term::Var(part, At::Now), At::Now), what, span);
        let to = self.temp(Type::Ptr(around), span);
        self.emit(Command::Load { to, from: part, field: found.back }, span);
        self.rely(Formula::ne(Term::Var(to, At::Now), Term::Null(around)), what, span);
        Ok(Value::Ptr(Pure::Var(to), around))
    }

    /// `free` of something else than the beginning of an object.
    fn begins(&mut self, var: VarId, of: StructId, start: i128, span: Span) -> Lowering<()> {
        let Some((record, merged)) = self.merged_cells(of) else { return Ok(()) };
        let inside = |kind: &super::super::types::Kind| kind.loose && kind.start != start;
        let wrong: Vec<usize> = (0..merged.kinds.len()).filter(|kind| inside(&merged.kinds[*kind])).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let what = "free of a part of an object";
        let (end, there) = (self.program.add_location(), self.program.add_location());
        let null = Cond::eq(Pure::Var(var), Pure::Null(of));
        self.emit_to(end, Command::Assume(null.clone()), span);
        self.emit_to(there, Command::Assume(null.negated()), span);
        self.here = there;
        self.check_not_freed(var, span);
        let formula = match self.load_kind(var, record, &merged, span)? {
            Some(tag) => {
                let kinds = wrong.iter().map(|kind| Term::Int(*kind as i128));
                Formula::all(kinds.map(|kind| Formula::ne(Term::Var(tag, At::Now), kind)))
            }
            // All objects of the heap are of one kind, which does not begin there.
            None => Formula::Const(false),
        };
        self.demand(formula, what, span);
        self.emit_to(end, Command::Skip, span);
        self.here = end;
        Ok(())
    }
}
