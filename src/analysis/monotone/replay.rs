//! The judge of alarms: looks for a real run that fails, with the interpreter.
//!
//! Where the entry heaps are known exactly, small ones are built and run with a few orders of data; this finds
//! what a general enumeration would have to search for. Then the bounded search of [`explore`].

use super::entry::EntryCheck;
use super::model::Model;
use super::signature::{Node, Signature};
use crate::program::explore::{self, Bound, Found, Searches, add_strangers};
use crate::program::{CellId, Question, State, Status, Trace, Type, Value, VarKind};
use crate::util::limits::{Budget, Stop};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Cells at the entry.
    pub cells: usize,
    /// Commands run.
    pub commands: u64,
}

/// Integers of the cells of an entry heap.
const ORDERS: [fn(usize) -> i128; 3] = [|_| 0, |i| i as i128, |i| -(i as i128)];

/// A run that fails, if one is found.
pub fn failing_run(
    model: &Model<'_>,
    question: &Question,
    entry: &EntryCheck,
    effort: Effort,
    (searches, budget): (&Searches, &mut Budget),
) -> Result<Option<Box<Trace>>, Stop> {
    let heaps = entry.small_heaps(effort.cells);
    let has_data = model.program.fields.iter().any(|f| matches!(f.ty, Type::Int(_)));
    let share = effort.commands / (heaps.len() as u64 * 3 + 1);
    let bound =
        Bound { commands: share.max(2_000), commands_per_entry: share.max(2_000), ..Bound::default() };
    for heap in &heaps {
        for order in &ORDERS[..if has_data { ORDERS.len() } else { 1 }] {
            let state = state_of(model, heap, *order);
            match explore::replay(model.program, question, &state, None, &bound, budget) {
                Found::Violation(trace) => return Ok(Some(trace)),
                Found::Nothing { .. } => {}
                Found::Stopped(stop) => return Err(stop),
            }
        }
    }
    // Enumerating all heaps only to find those of a known shape takes long.
    let cells = if heaps.is_empty() { effort.cells } else { effort.cells.min(2) };
    let bound = Bound { cells, commands: effort.commands, ..Bound::default() };
    match searches.search(model.program, question, &bound, budget) {
        Found::Violation(trace) => Ok(Some(trace)),
        Found::Nothing { .. } => Ok(None),
        Found::Stopped(stop) => Err(stop),
    }
}

/// The state of an entry heap; integer parameters are 1, data as ordered.
fn state_of(model: &Model<'_>, heap: &Signature, order: fn(usize) -> i128) -> State {
    let program = model.program;
    let mut state = State::new(program);
    let value =
        |node: Node| if node.is_cell() { Value::Cell(CellId(u32::from(node.0))) } else { Value::Null };
    let Some(of) = model.fields.first().map(|f| program.fields[f.index()].owner) else { return state };
    for i in 0..heap.len() {
        let cell = state.add_cell(program, of, Status::Heap);
        for &field in &program.structs[of.index()].fields {
            if matches!(program.fields[field.index()].ty, Type::Int(_)) {
                state.set_field(cell, field, Value::Int(order(i)));
            }
        }
    }
    for i in 0..heap.len() {
        for (c, field) in model.fields.iter().enumerate() {
            state.set_field(CellId(i as u32), *field, value(heap.cells[i].coloured[c]));
        }
    }
    for (slot, label) in model.slots.iter().zip(&heap.labels) {
        if label.is_known() && !slot.at_entry {
            state.vars[slot.var.index()] = value(*label);
        }
    }
    for (i, var) in program.vars.iter().enumerate() {
        if matches!(var.kind, VarKind::Param | VarKind::Global) && matches!(var.ty, Type::Int(_)) {
            state.vars[i] = Value::Int(1);
        }
    }
    add_strangers(program, &mut state);
    state
}
