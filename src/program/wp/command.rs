//! What one command does to a symbolic state, and what it must not do.

use super::state::{Symbolic, name};
use super::{Done, Kind, Walk};
use crate::logic::{TermId, Terms};
use crate::program::cfg::{Clause, Edge};
use crate::program::command::{Check, Command, Storage, may_break};
use crate::program::decl::{FieldId, StructId, Type, VarId, VarKind};
use crate::program::encode::{Inexpressible, Version, VersionId, status};
use crate::program::expr::Expr;

impl Walk<'_> {
    /// Takes a step. False if nothing comes after it.
    pub(super) fn command(&mut self, state: &mut Symbolic, edge: &Edge) -> Result<bool, Inexpressible> {
        match &edge.command {
            Command::Skip => {}
            Command::Assign(x, e) => {
                let value = self.encoder.expr(&state.now, e)?;
                state.now.vars[x.index()] = value;
            }
            Command::Load { to, from, field } => {
                self.accessed(state, edge, *from)?;
                let version = state.now.fields[field.index()];
                let value = self.encoder.read(version, state.now.vars[from.index()])?;
                self.set(state, *to, value)?;
                self.in_kind(state, self.program.fields[field.index()].ty, state.now.vars[to.index()])?;
            }
            Command::Store { to, field, value } => self.store(state, edge, *to, *field, value)?,
            Command::LoadElement { to, array, index } => {
                let index = self.element(state, edge, *array, index)?;
                let version = self.array(state, *array)?;
                let value = self.encoder.read(version, index)?;
                self.set(state, *to, value)?;
                self.element_at_entry(state, *array, version, index)?;
                self.in_kind(state, self.program.vars[to.index()].ty, state.now.vars[to.index()])?;
            }
            Command::StoreElement { array, index, value } => {
                let place = self.element(state, edge, *array, index)?;
                let before = self.array(state, *array)?;
                let value = self.encoder.expr(&state.now, value)?;
                let written = self.encoder.version(Version::Store { before, place, value });
                state.now.arrays[array.index()] = Some(written);
            }
            Command::Alloc { to, of, storage, zeroed } => self.alloc(state, *to, *of, *storage, *zeroed)?,
            Command::Free(x) => self.free(state, edge, *x)?,
            Command::Release(x) => self.release(state, *x)?,
            Command::Assume(cond) => {
                let fact = self.encoder.cond(&state.now, cond)?;
                if fact == Terms::FALSE {
                    return Ok(false);
                }
                state.branch(&mut self.encoder, &mut self.paths, fact)?;
            }
            Command::Suppose(formula) => self.suppose(state, edge.span, formula)?,
            Command::Assert { formula, check, what } => {
                let clause = Clause { formula: formula.clone(), span: edge.span };
                let what = may_break(what);
                self.prove_clause(state, edge.from, (*check, Kind::Place, &what), &clause)?;
            }
            Command::Fail { what } => {
                let about = (Check::Asserts, Kind::Place, format!("{what} may be reached"), edge.span);
                self.prove(state, edge.from, about, Ok(Terms::FALSE))?;
                return Ok(false);
            }
            Command::Havoc(x) => {
                let ty = self.program.vars[x.index()].ty;
                if ty.element().is_some() {
                    state.now.arrays[x.index()] = Some(self.encoder.fresh_array(*x)?);
                } else {
                    let value = self.encoder.fresh_var(*x)?;
                    state.now.vars[x.index()] = value;
                    if let Type::Int(kind) = ty {
                        let fact = self.encoder.in_range(kind, value)?;
                        state.assume(&mut self.encoder, &mut self.paths, fact)?;
                    }
                }
            }
            Command::Snapshot(label) => Walk::snapshot(state, *label),
            Command::Scramble { targets, frees, .. } => self.call(state, targets, *frees)?,
        }
        Ok(true)
    }

    fn set(&mut self, state: &mut Symbolic, var: VarId, value: TermId) -> Done {
        let hint = self.program.vars[var.index()].name.as_str();
        state.now.vars[var.index()] = name(&mut self.encoder, value, hint)?;
        Ok(())
    }

    /// "what through `x`", unless nobody knows x.
    fn through(&self, what: &str, pointer: VarId) -> String {
        let var = &self.program.vars[pointer.index()];
        if var.kind == VarKind::Temp {
            what.to_owned()
        } else {
            format!("{what} through `{}`", self.var_name(pointer))
        }
    }

    fn struct_of(&self, pointer: VarId) -> Result<StructId, Inexpressible> {
        let of = self.program.vars[pointer.index()].ty.pointee();
        of.ok_or_else(|| Inexpressible("a pointer was expected".to_owned()))
    }

    /// The pointer must be allocated.
    fn accessed(&mut self, state: &mut Symbolic, edge: &Edge, pointer: VarId) -> Done {
        let of = self.struct_of(pointer)?;
        let valid = self.encoder.is_valid(&state.now, of, state.now.vars[pointer.index()])?;
        let what = self.through("access to a cell that may not be allocated", pointer);
        self.prove(state, edge.from, (Check::Memsafety, Kind::Place, what, edge.span), Ok(valid))
    }

    fn store(&mut self, state: &mut Symbolic, edge: &Edge, to: VarId, field: FieldId, value: &Expr) -> Done {
        let declared = &self.program.fields[field.index()];
        let before = state.now.fields[field.index()];
        let place = state.now.vars[to.index()];
        let mut value = self.encoder.expr(&state.now, value)?;
        if declared.ghost {
            // Through null nothing is written.
            let of = self.struct_of(to)?;
            let null = self.encoder.null(of);
            let is_null = self.encoder.terms.eq(place, null)?;
            let valid = self.encoder.is_valid(&state.now, of, place)?;
            let goal = self.encoder.terms.or(&[is_null, valid])?;
            let what = self.through("ghost write to a cell that may not be allocated", to);
            self.prove(state, edge.from, (Check::Memsafety, Kind::Place, what, edge.span), Ok(goal))?;
            let old = self.encoder.read(before, null)?;
            value = self.encoder.terms.ite(is_null, old, value)?;
            value = name(&mut self.encoder, value, &declared.name)?;
        } else {
            self.accessed(state, edge, to)?;
        }
        state.now.fields[field.index()] = self.encoder.version(Version::Store { before, place, value });
        Ok(())
    }

    fn array(&self, state: &Symbolic, array: VarId) -> Result<VersionId, Inexpressible> {
        state.now.arrays[array.index()].ok_or_else(|| Inexpressible("an array was expected".to_owned()))
    }

    /// The index, which must be inside the array.
    fn element(
        &mut self,
        state: &mut Symbolic,
        edge: &Edge,
        array: VarId,
        index: &Expr,
    ) -> Result<TermId, Inexpressible> {
        let index = self.encoder.expr(&state.now, index)?;
        let len = state.now.vars[array.index()];
        let terms = &mut self.encoder.terms;
        let zero = terms.int(0);
        let (low, high) = (terms.le(zero, index)?, terms.lt(index, len)?);
        let inside = terms.and(&[low, high])?;
        let what = format!("the index may be outside of `{}`", self.var_name(array));
        self.prove(state, edge.from, (Check::Memsafety, Kind::Place, what, edge.span), Ok(inside))?;
        Ok(index)
    }

    /// Pointers in arrays that the function was given are null or allocated at entry.
    fn element_at_entry(
        &mut self,
        state: &mut Symbolic,
        array: VarId,
        version: VersionId,
        index: TermId,
    ) -> Done {
        let var = &self.program.vars[array.index()];
        let (Type::PtrArray(of), VarKind::Param | VarKind::Global) = (var.ty, var.kind) else {
            return Ok(());
        };
        if self.live.is_empty() || self.entry.arrays[array.index()] != Some(version) {
            return Ok(());
        }
        let value = self.encoder.read(version, index)?;
        let fact = self.null_or_live(of, value)?;
        state.assume(&mut self.encoder, &mut self.paths, fact)
    }

    fn alloc(
        &mut self,
        state: &mut Symbolic,
        to: VarId,
        of: StructId,
        storage: Storage,
        zeroed: bool,
    ) -> Done {
        let cell = self.encoder.unknown("new", self.encoder.sort_of(of))?;
        let before = state.now.status[of.index()];
        let (fresh, real) =
            (self.encoder.has_status(before, cell, status::NEVER)?, self.encoder.not_null(of, cell)?);
        let fact = self.encoder.terms.and(&[real, fresh])?;
        state.assume(&mut self.encoder, &mut self.paths, fact)?;
        for other in self.encoder.born(of, cell)? {
            let same = self.encoder.terms.eq(cell, other)?;
            let fact = self.encoder.terms.not(same)?;
            state.assume(&mut self.encoder, &mut self.paths, fact)?;
        }
        let value = self.encoder.terms.int(match storage {
            Storage::Heap => status::HEAP,
            Storage::Automatic => status::AUTOMATIC,
        });
        state.now.status[of.index()] = self.encoder.version(Version::Store { before, place: cell, value });
        for &field in &self.program.structs[of.index()].fields {
            let ty = self.program.fields[field.index()].ty;
            let value = match (zeroed, ty) {
                (true, Type::Ptr(target)) => self.encoder.null(target),
                (true, _) => self.encoder.terms.int(0),
                (false, _) => {
                    let value = self.encoder.unknown("arbitrary", self.encoder.value_sort(ty))?;
                    self.in_kind(state, ty, value)?;
                    value
                }
            };
            let before = state.now.fields[field.index()];
            state.now.fields[field.index()] =
                self.encoder.version(Version::Store { before, place: cell, value });
        }
        state.now.vars[to.index()] = cell;
        Ok(())
    }

    fn free(&mut self, state: &mut Symbolic, edge: &Edge, pointer: VarId) -> Done {
        let of = self.struct_of(pointer)?;
        let cell = state.now.vars[pointer.index()];
        let before = state.now.status[of.index()];
        let null = self.encoder.null(of);
        let is_null = self.encoder.terms.eq(cell, null)?;
        let on_heap = self.encoder.has_status(before, cell, status::HEAP)?;
        let goal = self.encoder.terms.or(&[is_null, on_heap])?;
        let what = self.through("free of a cell that may not be allocated", pointer);
        self.prove(state, edge.from, (Check::Memsafety, Kind::Place, what, edge.span), Ok(goal))?;
        let (freed, none) = (self.encoder.terms.int(status::FREED), self.encoder.terms.int(status::NULL));
        let value = self.encoder.terms.ite(is_null, none, freed)?;
        let value = name(&mut self.encoder, value, "status")?;
        state.now.status[of.index()] = self.encoder.version(Version::Store { before, place: cell, value });
        Ok(())
    }

    /// Only automatic cells end their life so.
    fn release(&mut self, state: &mut Symbolic, pointer: VarId) -> Done {
        let of = self.struct_of(pointer)?;
        let cell = state.now.vars[pointer.index()];
        let before = state.now.status[of.index()];
        let old = self.encoder.read(before, cell)?;
        let automatic = self.encoder.has_status(before, cell, status::AUTOMATIC)?;
        let freed = self.encoder.terms.int(status::FREED);
        let value = self.encoder.terms.ite(automatic, freed, old)?;
        let value = name(&mut self.encoder, value, "status")?;
        state.now.status[of.index()] = self.encoder.version(Version::Store { before, place: cell, value });
        Ok(())
    }
}
