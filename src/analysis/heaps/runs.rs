//! Heaps from runs: small entry states are run by the interpreter, and every state that a run brings to a loop
//! head is abstracted.
//!
//! What runs show is part of the least set of heaps, so growing starts from it (`learn`) and the core is left with
//! what runs did not show: mostly with proofs, which it finds faster than models. Where models cannot be found at
//! all (quantifiers over integers) the runs are the only source. A run that fails is the answer.

use super::boolean::{Heap, Heaps, Object};
use super::signature::{Kind, Signature};
use crate::program::eval::{Evaluator, States};
use crate::program::explore::{self, Bound};
use crate::program::state::{CellId, Value};
use crate::program::{Program, Question, Trace};
use crate::util::limits::Budget;
use std::collections::BTreeSet;

/// How far runs go. Three cells show nearly everything in a list; where there are more pointers, four do.
const BOUND: Bound = Bound { cells: 4, ints: 3, commands_per_entry: 3_000, commands: 40_000, keep: 2_000 };
/// Runs go on, each time so many times as far, while they show something new and up to this many commands.
const FURTHER: u64 = 4;
const MOST_COMMANDS: u64 = 640_000;

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
    loop {
        let mut is_new = false;
        let found = explore::search_visiting(program, question, &bound, budget, &mut |location, at| {
            for (i, signature) in signatures.iter().enumerate() {
                if program.loops[i].head == location
                    && let Some((atoms, objects)) = heap_of(program, signature, at)
                {
                    is_new |= heaps[i].add(atoms, objects);
                }
            }
        });
        let failing = found.trace();
        bound.commands *= FURTHER;
        if failing.is_some() || !is_new || bound.commands > MOST_COMMANDS {
            return Shown { heaps, failing };
        }
    }
}
