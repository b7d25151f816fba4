//! From an obligation that does not follow to a run that breaks the property, if there is one.

use super::solve::Task;
use super::witness;
use crate::logic::{Model, TermId, Terms};
use crate::program::explore::{self, Bound, Found};
use crate::program::{Program, Question};
use crate::util::limits::Budget;
use crate::verdict::Trace;

/// Heaps of at most this many cells are looked for one by one before any model will do.
const MAX_CELLS: usize = 5;

/// Commands that replays and searches may execute; about a second.
const MAX_COMMANDS: u64 = 10_000_000;

/// A run that fails: from the entry state of the obligation's model if no loop was cut on the way, else from
/// any small entry state.
pub(super) fn find_run(
    task: &Task<'_, '_>,
    program: &Program,
    question: &Question,
    first: usize,
) -> Option<Trace> {
    let mut budget = Budget::new(&task.remaining.now());
    let bound = Bound { commands: MAX_COMMANDS, ..Bound::default() };
    let obligation = &task.conditions.obligations[first];
    if obligation.goal.is_ok()
        && let Some((terms, model)) = smallest_model(task, first)
        && witness::last_head(task.conditions, obligation, &terms, &model).is_none()
        && let Some(initial) =
            witness::state(program, &task.conditions.encoder, &terms, &model, &task.conditions.entry)
        && let Found::Violation(trace) =
            explore::replay(program, question, &initial, None, &bound, &mut budget)
    {
        return Some(*trace);
    }
    explore::search(program, question, &bound, &mut budget).trace().map(|trace| *trace)
}

/// The model of a failing obligation with the fewest cells, then with small integers at the entry.
pub(super) fn smallest_model(task: &Task<'_, '_>, first: usize) -> Option<(Terms, Model)> {
    let any = task.model(first, |_| Vec::new())?;
    for cells in 0..=MAX_CELLS {
        let bounded = |terms: &mut Terms| bound(task, terms, cells).unwrap_or_default();
        if let Some(found) = task.model(first, bounded) {
            return Some(found);
        }
    }
    Some(any)
}

/// Every struct has at most so many cells.
fn bound(task: &Task<'_, '_>, terms: &mut Terms, cells: usize) -> Option<Vec<TermId>> {
    let encoder = &task.conditions.encoder;
    let mut out = Vec::new();
    for i in 0..encoder.program().structs.len() {
        let of = crate::program::StructId(i as u32);
        let sort = encoder.sort_of(of);
        let u = terms.variable("u", sort).ok()?;
        let null = encoder.null(of);
        let mut parts = vec![terms.eq(u, null).ok()?];
        for _ in 0..cells {
            let cell = terms.fresh_const("cell", sort);
            parts.push(terms.eq(u, cell).ok()?);
        }
        let body = terms.or(&parts).ok()?;
        out.push(terms.forall(&[u], body).ok()?);
    }
    Some(out)
}
