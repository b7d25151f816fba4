//! Which conjunct of an invariant is missing, as far as counterexamples show it.
//!
//! An obligation fails in a state that satisfies the invariants of a loop and that no known run reaches. A conjunct that
//! is missing is false in that state and true in all others, so: of the [`candidates`], the first that is
//! false there and true in every state that short runs of the interpreter bring to the loop. It is added, the
//! obligation is asked again, and its next counterexample may show another one. What is said to the user is a proposal:
//! the verdict does not depend on it.

use super::candidates::candidates;
use super::solve::{Result as Proof, Task};
use super::{Remaining, refute, witness};
use crate::program::eval::{States, holds};
use crate::program::explore::{self, Bound};
use crate::program::wp::{self, Conditions, Obligation};
use crate::program::{Clause, Formula, LoopId, Program, Question, State};
use crate::util::hash::Map;
use crate::util::limits::Budget;
use crate::util::options;

/// Runs that are made.
const RUNS: Bound = Bound { cells: 3, ints: 4, commands_per_entry: 2_000, commands: 200_000, keep: 1 };

/// A proposal.
pub(super) struct Missing {
    /// What to add to the invariants of which loop.
    pub(super) conjuncts: Vec<(LoopId, Formula)>,
    /// Whether the obligation follows with them.
    pub(super) enough: bool,
}

/// States at loop heads: now and at the entry.
pub(super) type Reached = Map<LoopId, Vec<(State, State)>>;

/// What a failing obligation lacks, if the candidates have it.
pub(super) fn missing(
    program: &Program,
    question: &Question,
    remaining: &Remaining,
    failing: &Obligation,
    first: (LoopId, State, State),
) -> Option<Missing> {
    let reached = reached(program, question, remaining);
    let mut extended = program.clone();
    let mut found = Missing { conjuncts: Vec::new(), enough: false };
    let mut at = first;
    let mut known: Map<LoopId, Vec<Formula>> = Map::default();
    while found.conjuncts.len() < options::VC_HINT_CONJUNCTS.size() {
        let (l, now, entry) = &at;
        let Some(states) = reached.get(l) else { break };
        let family = known.entry(*l).or_insert_with(|| candidates(program, question, *l));
        let bad = States { now, entry, labels: &[] };
        let real = |f: &Formula| {
            states
                .iter()
                .all(|(now, entry)| holds(program, States { now, entry, labels: &[] }, f) == Ok(true))
        };
        let next = family.iter().position(|f| holds(program, bad, f) == Ok(false) && real(f));
        let Some(next) = next else { break };
        let formula = family.remove(next);
        add(&mut extended, *l, &formula);
        found.conjuncts.push((*l, formula));
        match ask(&extended, question, remaining, failing) {
            Next::Proved => {
                found.enough = true;
                break;
            }
            Next::Fails(state) => at = *state,
            Next::Open => break,
        }
    }
    if found.enough {
        drop_needless(program, question, remaining, failing, &mut found);
    }
    (!found.conjuncts.is_empty()).then_some(found)
}

fn add(program: &mut Program, l: LoopId, formula: &Formula) {
    let span = program.loops[l.index()].span;
    program.loops[l.index()].invariants.push(Clause { formula: formula.clone(), span });
}

/// Conjuncts that excluded a counterexample and that later ones made superfluous.
fn drop_needless(
    program: &Program,
    question: &Question,
    remaining: &Remaining,
    failing: &Obligation,
    found: &mut Missing,
) {
    let mut i = 0;
    while i < found.conjuncts.len() && found.conjuncts.len() > 1 {
        let mut without = program.clone();
        for (_, (l, formula)) in found.conjuncts.iter().enumerate().filter(|(j, _)| *j != i) {
            add(&mut without, *l, formula);
        }
        if let Next::Proved = ask(&without, question, remaining, failing) {
            found.conjuncts.remove(i);
        } else {
            i += 1;
        }
    }
}

enum Next {
    Proved,
    Fails(Box<(LoopId, State, State)>),
    Open,
}

/// The same obligation under more invariants.
fn ask(program: &Program, question: &Question, remaining: &Remaining, failing: &Obligation) -> Next {
    let Ok(conditions) = wp::conditions_by_need(program, question) else { return Next::Open };
    let same = |o: &Obligation| {
        (o.kind, o.span, o.location, &o.part, &o.what)
            == (failing.kind, failing.span, failing.location, &failing.part, &failing.what)
    };
    // One place may be reached on several ways.
    let numbers: Vec<usize> =
        (0..conditions.obligations.len()).filter(|&i| same(&conditions.obligations[i])).collect();
    let task = Task { conditions: &conditions, remaining, jobs: 1, progress: &|_| {} };
    for i in numbers {
        match task.once(i, options::VC_HINT_STEPS.get()) {
            Proof::Proved => {}
            Proof::Open(_) => return Next::Open,
            Proof::Refuted => {
                let Some((terms, model)) = refute::smallest_model(&task, i) else { return Next::Open };
                let state = head_state(program, &conditions, &conditions.obligations[i], &terms, &model);
                return state.map_or(Next::Open, |s| Next::Fails(Box::new(s)));
            }
        }
    }
    Next::Proved
}

/// The last loop that a counterexample passes, with the state there and at the entry.
pub(super) fn head_state(
    program: &Program,
    conditions: &Conditions<'_>,
    obligation: &Obligation,
    terms: &crate::logic::Terms,
    model: &crate::logic::Model,
) -> Option<(LoopId, State, State)> {
    let head = witness::last_head(conditions, obligation, terms, model)?;
    let read = |moment| witness::state(program, &conditions.encoder, terms, model, moment);
    Some((head.of?, read(&head.moment)?, read(&conditions.entry)?))
}

/// States that short runs bring to loop heads.
pub(super) fn reached(program: &Program, question: &Question, remaining: &Remaining) -> Reached {
    let mut reached = Reached::default();
    let mut budget = Budget::new(&remaining.now());
    let mut take = |location, states: States<'_>| {
        let Some(l) = program.loop_at(location) else { return };
        let all = reached.entry(l).or_default();
        if all.len() < options::VC_HINT_STATES.size() {
            all.push((states.now.clone(), states.entry.clone()));
        }
    };
    explore::search_visiting(program, question, &RUNS, &mut budget, &mut take);
    reached
}
