//! From an obligation that does not follow to a run that breaks the property, if there is one.

use super::solve::Task;
use super::witness;
use crate::logic::{Model, TermId, Terms};
use crate::program::explore::{self, Bound, Searches};
use crate::program::{Entry, Program, Question};
use crate::util::limits::Budget;
use crate::util::options;
use crate::verdict::Trace;

/// A run that fails, from any small entry state: fewest cells first.
pub(super) fn search(
    task: &Task<'_, '_>,
    searches: &Searches,
    program: &Program,
    question: &Question,
    bound: &Bound,
) -> Option<Trace> {
    let mut budget = Budget::new(&task.remaining.now());
    searches.search(program, question, bound, &mut budget).trace().map(|trace| *trace)
}

/// A run that fails from the entry state of a model. What the model says behind the head of a loop is forgotten; a
/// whole program has one entry state, and its runs were followed before.
pub(super) fn replay(
    task: &Task<'_, '_>,
    program: &Program,
    question: &Question,
    first: usize,
    (terms, model): &(Terms, Model),
) -> Option<Trace> {
    let (conditions, mut budget) = (task.conditions, Budget::new(&task.remaining.now()));
    let cut = || witness::last_head(conditions, &conditions.obligations[first], terms, model).is_some();
    if program.begins == Entry::Main && cut() {
        return None;
    }
    let initial = witness::state(program, &conditions.encoder, terms, model, &conditions.entry)?;
    let bound = Bound { commands: options::VC_REPLAY.get(), ..Bound::default() };
    let found = explore::replay(program, question, &initial, None, &bound, &mut budget);
    found.trace().map(|trace| *trace)
}

/// The model of a failing obligation with the fewest cells, as far as it is found quickly.
pub(super) fn smallest_model(task: &Task<'_, '_>, first: usize) -> Option<(Terms, Model)> {
    for cells in 0..=options::VC_MODEL_CELLS.size() {
        let bounded = |terms: &mut Terms| bound(task, terms, cells).unwrap_or_default();
        if let Some(found) = task.model(first, Some(options::VC_SHRINKING.get()), bounded) {
            return Some(found);
        }
    }
    task.model(first, Some(8 * options::VC_SHRINKING.get()), |_| Vec::new())
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
