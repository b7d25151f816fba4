//! Heaps from runs: small entry states are run by the interpreter, and every state that a run brings to a loop
//! head is abstracted. First all states of up to four cells, then larger ones made from them (`stretch`): what small
//! states have in common by chance is not in the invariant, and not for the core to refute by one model after the other
//! (Skiplist.add: none instead of nine, and half of all the work).
//!
//! What runs show is part of the least set of heaps, so growing starts from it (`learn`) and the core is left with
//! what runs did not show: mostly with proofs, which it finds faster than models. Where models cannot be found at
//! all (quantifiers over integers) the runs are the only source. A run that fails is the answer.

use super::boolean::{Heap, Heaps, Object};
use super::signature::{Kind, Signature};
use super::stretch::Stretch;
use crate::program::eval::{Evaluator, Reads, States};
use crate::program::explore::{self, Bound};
use crate::program::interp::Machine;
use crate::program::state::{CellId, State, Value};
use crate::program::{LocationId, Program, Question, Trace};
use crate::util::limits::Budget;
use crate::util::options;
use std::collections::BTreeSet;

/// How far runs go. Three cells show nearly everything in a list; where there are more pointers, four do.
const BOUND: Bound = Bound { cells: 4, ints: 3, commands_per_entry: 3_000, commands: 40_000, keep: 2_000 };
/// How far the runs from one larger state go.
const LARGER: Bound = Bound { ints: 2, commands: 3_000, ..BOUND };

/// What runs showed.
pub(super) struct Shown {
    /// By loop.
    pub(super) heaps: Vec<Heaps>,
    /// A run that fails.
    pub(super) failing: Option<Box<Trace>>,
}

/// The heap of a state, if all predicates have values there.
pub(super) fn heap_of(program: &Program, signature: &Signature, states: States<'_>) -> Option<Heap> {
    let mut evaluator = Evaluator::new(program, states);
    let mut atoms = Vec::new();
    for atom in &signature.atoms {
        atoms.push(evaluator.formula(atom).ok()?);
    }
    let mut kinds = Vec::new();
    for kind in &signature.kinds {
        let cells = states.now.cells.iter().enumerate().filter(|(_, cell)| cell.of == kind.of);
        let cells = cells.map(|(i, _)| Value::Cell(CellId(u32::try_from(i).unwrap_or(u32::MAX))));
        let mut objects = BTreeSet::new();
        for cell in std::iter::once(Value::Null).chain(cells) {
            objects.insert(object_of(program, kind, states, cell)?);
        }
        kinds.push(objects);
    }
    Some((atoms, kinds))
}

/// The truths of all predicates of a cell, if they have values.
pub(super) fn object_of(program: &Program, kind: &Kind, states: States<'_>, cell: Value) -> Option<Object> {
    let mut evaluator = Evaluator::new(program, states);
    evaluator.bind(kind.object.id, cell);
    let mut object: Object = 0;
    for (i, predicate) in kind.predicates.iter().enumerate() {
        object |= Object::from(evaluator.formula(predicate).ok()?) << i;
    }
    Some(object)
}

/// Runs small entry states.
pub(super) fn shown(
    program: &Program,
    question: &Question,
    signatures: &[Signature],
    budget: &mut Budget,
) -> Shown {
    let mut heaps = vec![Heaps::default(); program.loops.len()];
    let mut bound = BOUND;
    let mut stretch = Stretch::new(program);
    let take = |heaps: &mut Vec<Heaps>, location: LocationId, at: States<'_>| {
        let mut is_new = false;
        for (i, signature) in signatures.iter().enumerate() {
            if program.loops[i].head == location
                && let Some((atoms, objects)) = heap_of(program, signature, at)
            {
                is_new |= heaps[i].add(atoms, objects);
            }
        }
        is_new
    };
    loop {
        let mut is_new = false;
        let found = explore::search_visiting(program, question, &bound, budget, &mut |location, at| {
            stretch.meet(at.entry);
            if take(&mut heaps, location, at) {
                is_new = true;
                stretch.favour(at.entry);
            }
        });
        let failing = found.trace();
        if failing.is_some() {
            return Shown { heaps, failing };
        }
        bound.commands *= options::HEAPS_RUNS_GROWTH.get();
        if !is_new || bound.commands > options::HEAPS_RUNS.get() {
            break;
        }
    }
    let machine = Machine::new(program, question).noting();
    let admits = |state: &State| machine.admits(state) == Ok(true);
    let (mut dry, mut nodes) = (0, 0);
    while dry < options::HEAPS_RUNS_PATIENCE.size() && nodes < options::HEAPS_RUNS_NODES.get() {
        dry += 1;
        let entry = stretch.larger(&admits);
        let work = machine.reads().map_or(0, Reads::take_work);
        nodes += work;
        if budget.spend(1 + work).is_err() {
            break;
        }
        let Some(entry) = entry else { continue };
        let mut is_new = false;
        explore::visit_from(program, question, &entry, &LARGER, budget, &mut |location, at| {
            is_new |= take(&mut heaps, location, at);
        });
        if is_new {
            dry = 0;
            stretch.favour(&entry);
        }
    }
    Shown { heaps, failing: None }
}
