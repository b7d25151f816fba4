//! What each command does. A command that is stopped has changed nothing.

use super::number::{interval, single};
use super::store::{Cell, Life, Slot, Store, Value, position, zero};
use super::{Answer, Plain, Stop, refused};
use crate::program::command::broken;
use crate::program::{Check, Command, EdgeId, Expr, IntKind, Storage, Type, VarId};
use std::rc::Rc;

impl Plain<'_> {
    pub(super) fn execute(&self, store: &mut Store, edge: EdgeId) -> Answer<()> {
        let program = self.program;
        match &program.edges[edge.index()].command {
            // Assumptions were looked at when the edge was chosen.
            Command::Skip | Command::Assume(_) | Command::Suppose(_) => {}
            Command::Assign(x, e) => {
                let value = fitting(store.expr(e)?, program.vars[x.index()].ty, store)?;
                store.memory.vars[x.index()] = value;
            }
            Command::Load { to, from, field } => {
                let cell = self.accessed(store, *from)?;
                let value = store.memory.cells[cell].fields[position(program, *field)];
                store.memory.vars[to.index()] = value;
            }
            Command::Store { to, field, value } => {
                let declared = &program.fields[field.index()];
                if declared.ghost && store.var(*to)? == Value::Null {
                    return Ok(());
                }
                let cell = self.accessed(store, *to)?;
                let value = fitting(store.expr(value)?, declared.ty, store)?;
                store.memory.cells[cell].fields[position(program, *field)] = value;
            }
            Command::LoadElement { to, array, index } => {
                let index = self.element(store, *array, index)?;
                store.memory.vars[to.index()] = self.written(store.memory.arrays[array.index()][index])?;
            }
            Command::StoreElement { array, index, value } => {
                let index = self.element(store, *array, index)?;
                let element = program.vars[array.index()].ty.element();
                let value = fitting(store.expr(value)?, element.unwrap_or(Type::Int(IntKind::INT)), store)?;
                store.memory.arrays[array.index()][index] = value;
            }
            Command::Alloc { to, of, storage, zeroed } => {
                let mut fields = Vec::new();
                for field in &program.structs[of.index()].fields {
                    let ty = program.fields[field.index()].ty;
                    fields.push(match ty {
                        _ if *zeroed => Some(zero(ty)),
                        Type::Int(kind) => Some(store.any(kind)),
                        _ => None,
                    });
                }
                let life = match storage {
                    Storage::Heap => Life::OnHeap,
                    Storage::Automatic => Life::Automatic,
                };
                store.memory.cells.push(Cell { of: *of, life, fields });
                store.memory.vars[to.index()] = Some(Value::Cell(store.memory.cells.len() - 1));
            }
            Command::Free(x) => match store.var(*x)? {
                Value::Null => {}
                Value::Int(_) => return refused("a number is freed"),
                Value::Cell(cell) => match store.memory.cells.get(cell).map(|c| c.life) {
                    Some(Life::OnHeap) => store.memory.cells[cell].life = Life::Freed,
                    Some(Life::Freed) => return self.fails(Check::Memsafety, "free of a freed cell"),
                    Some(Life::Automatic) => {
                        return self.fails(Check::Memsafety, "free of a cell that is not on the heap");
                    }
                    None => return self.fails(Check::Memsafety, "free of a cell that is not allocated"),
                },
            },
            Command::Release(x) => {
                if let Value::Cell(cell) = store.var(*x)?
                    && let Some(cell) = store.memory.cells.get_mut(cell)
                    && cell.life == Life::Automatic
                {
                    cell.life = Life::Freed;
                }
            }
            Command::Assert { formula, check, what } => {
                if !self.holds(store, formula)? {
                    return self.fails(*check, &broken(what));
                }
            }
            Command::Fail { what } => return self.fails(Check::Asserts, &format!("{what} is reached")),
            Command::Havoc(x) => {
                store.memory.vars[x.index()] = match program.vars[x.index()].ty {
                    Type::Int(kind) => Some(store.any(kind)),
                    _ => None,
                };
            }
            Command::Snapshot(label) => {
                store.labels[label.index()] = Some(Rc::new(store.memory.clone()));
            }
            Command::Scramble { .. } => return refused("a call is known by its contract only"),
        }
        Ok(())
    }

    /// A failure, if its class is asked about. If not, nothing is claimed about such runs, and nothing is said here.
    pub(super) fn fails<T>(&self, check: Check, message: &str) -> Answer<T> {
        if self.question.asks(check) {
            Err(Stop::Fails(check, message.to_owned()))
        } else {
            refused(&format!("a run does what nobody asked about: {message}"))
        }
    }

    /// The cell that a pointer leads to; it is an error if there is none.
    fn accessed(&self, store: &Store, pointer: VarId) -> Answer<usize> {
        match store.var(pointer)? {
            Value::Cell(cell) if store.memory.is_valid(Value::Cell(cell)) => Ok(cell),
            Value::Cell(cell) if cell < store.memory.cells.len() => {
                self.fails(Check::Memsafety, "access to a freed cell")
            }
            Value::Cell(_) => self.fails(Check::Memsafety, "access to a cell that is not allocated"),
            Value::Null => self.fails(Check::Memsafety, "null dereference"),
            Value::Int(_) => refused("a number is followed"),
        }
    }

    fn element(&self, store: &Store, array: VarId, index: &Expr) -> Answer<usize> {
        let index = single(store.int(index)?, &store.symbols)?;
        let len = store.memory.arrays[array.index()].len();
        match usize::try_from(index) {
            Ok(i) if i < len => Ok(i),
            _ => {
                let name = &self.program.vars[array.index()].name;
                let message = format!("index {index} is outside the {len} elements of `{name}`");
                self.fails(Check::Memsafety, &message)
            }
        }
    }

    fn written(&self, slot: Slot) -> Answer<Slot> {
        if slot.is_some() { Ok(slot) } else { refused("an element is read that nobody wrote") }
    }
}

/// The value, unless a number is or may be outside the type: nothing is said about runs whose arithmetic overflows.
fn fitting(slot: Slot, ty: Type, store: &Store) -> Answer<Slot> {
    if let (Some(Value::Int(n)), Type::Int(kind)) = (slot, ty) {
        let (low, high) = interval(n, &store.symbols)?;
        if low < kind.min() || high > kind.max() {
            return refused("an integer leaves the range of its type");
        }
    }
    Ok(slot)
}
