//! What the state at the entry of a function can be (DESIGN 6, decisions 1 and 6).

use crate::program::cfg::{Entry, Program};
use crate::program::decl::{Type, VarKind};
use crate::program::state::{Cell, CellId, State, Status, Value};

/// Whether all integers lie in the ranges of their types (decision 6).
fn in_range(program: &Program, state: &State) -> bool {
    let fits = |ty: Type, value: &Value| match (ty, value) {
        (Type::Int(kind), Value::Int(n)) => (kind.min()..=kind.max()).contains(n),
        _ => true,
    };
    let given = |kind: VarKind| matches!(kind, VarKind::Param | VarKind::Global | VarKind::Logic);
    let mut vars = program.vars.iter().enumerate().filter(|(_, v)| given(v.kind));
    let fields = |c: &Cell| {
        let mut fields = program.structs[c.of.index()].fields.iter().zip(&c.fields);
        fields.all(|(f, value)| fits(program.fields[f.index()].ty, value))
    };
    vars.all(|(i, v)| match v.ty.element() {
        Some(element) => state.arrays[i].iter().all(|value| fits(element, value)),
        None => fits(v.ty, &state.vars[i]),
    }) && state.cells.iter().all(fields)
}

/// Decision 1: parameters, globals and everything reached from them are null or allocated on the heap, and no
/// cell is freed. For `main` nothing is allocated at all. Integers lie in the ranges of their types.
#[must_use]
pub fn clean_entry(program: &Program, state: &State) -> bool {
    if !in_range(program, state) {
        return false;
    }
    if program.begins == Entry::Main {
        return state.cells.iter().all(|c| c.status == Status::Never);
    }
    let visible = |kind: VarKind| matches!(kind, VarKind::Param | VarKind::Global | VarKind::Logic);
    let mut stack: Vec<Value> = Vec::new();
    for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| visible(v.kind)) {
        // A logical constant may be any cell, but does not make others reachable.
        if var.kind != VarKind::Logic {
            stack.push(state.vars[i]);
            stack.extend(&state.arrays[i]);
        }
    }
    // A cell that is allocated at entry but not reached belongs to somebody else, who keeps no dangling pointers either.
    for (i, cell) in state.cells.iter().enumerate() {
        if cell.status == Status::Freed {
            return false;
        }
        if cell.status.is_valid() {
            stack.push(Value::Cell(CellId(i as u32)));
        }
    }
    let mut seen = vec![false; state.cells.len()];
    while let Some(value) = stack.pop() {
        let Value::Cell(cell) = value else { continue };
        let i = cell.index();
        if i >= seen.len() || !state.cells[i].status.is_valid() {
            return false;
        }
        if !std::mem::replace(&mut seen[i], true) {
            stack.extend(&state.cells[i].fields);
        }
    }
    true
}
