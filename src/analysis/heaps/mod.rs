//! Engine `heaps`: loop invariants that are Boolean heaps, after Wies's Bohne.
//!
//! Predicates of cells and of states are tracked or derived (`signature`); conjuncts of the precondition are
//! propagated to the loop heads (`background`). The heaps at the loop heads (`boolean`) come from three sources: runs
//! of the interpreter on small entry states (`runs`, which also refute most wrong programs at once), models of
//! "one round of the loop leaves the heaps" (`learn`), and models that refute the final check. The result is an
//! invariant of the annotation language: literals, short clauses, and clauses about all cells (`text`).
//!
//! `verified` does not depend on how the invariant was found. It is written into the program as if the user had,
//! and every obligation of that program ([`program::wp`](crate::program::wp)) is proved; pieces of the invariant that
//! cannot be are dropped, and the rest is proved again. `violated` needs a run that the interpreter makes. Otherwise
//! the verdict is `too-weak`, with the heaps at the loop. A precondition that nothing satisfies is `unknown`.
//!
//! The analysis of the paper, Cartesian post cube by cube with a context and the return abstracted (`cartesian`,
//! `contexts`, `places`, `enumerate`), runs when a context is asked for ([`run_in_context`], Figure 10). It is kept for
//! comparison: measured in user time with the same predicates and the same final check, learning takes 0.06 s instead
//! of 0.10 s on SortedList.add, 0.11 against 1.9 on Tree.add, 0.3 against 8 on List.reverse and 2 against 12 on
//! Skiplist.add, because one model shows a whole heap while the Cartesian post asks for each predicate of each cube,
//! and enumeration has to end in a proof that there is no further heap.
//!
//! When the property fails, predicates that the code suggests are added once (`refine`).
//!
//! Missing: the cache of the Cartesian post does not outlive a
//! function; the ghost father of `shape tree` is what the user's ghost statements make it.

mod background;
mod boolean;
mod cartesian;
mod contexts;
mod derive;
mod enumerate;
mod learn;
mod live;
mod places;
mod prove;
mod refine;
mod rewrite;
mod runs;
mod signature;
mod tautology;
#[cfg(test)]
mod tests;
mod text;
mod trial;

use self::background::{Demand, Numbers};
pub use self::cartesian::Context;
use self::prove::{Prover, Remaining};
use self::signature::Signature;
use self::trial::Trial;
use super::{Progress, Setup};
use crate::program::explore::{self, Bound};
use crate::program::{Program, Question, Track, print, wp};
use crate::util::limits::Budget;
use crate::util::span::Span;
use crate::verdict::{Counters, Outcome, Reason, Verdict};

/// Name of this engine.
pub const NAME: &str = "heaps";

/// Commands that the search for a failing run may execute before more predicates are tried.
const FIRST_COMMANDS: u64 = 500_000;

/// Commands that the search for a failing run may execute.
const MAX_COMMANDS: u64 = 10_000_000;

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, None, progress, &mut counters);
    Outcome { engine: NAME, verdict, counters }
}

/// The same by the analysis of the paper with this context, the return abstracted too.
#[must_use]
pub fn run_in_context(
    program: &Program,
    question: &Question,
    setup: &Setup,
    context: Context,
    progress: Progress<'_>,
) -> Outcome {
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, Some(context), progress, &mut counters);
    Outcome { engine: NAME, verdict, counters }
}

fn unknown(message: impl Into<String>, span: Option<Span>) -> Verdict {
    Verdict::Unknown(Reason { message: message.into(), span })
}

fn decide(
    program: &Program,
    question: &Question,
    setup: &Setup,
    context: Option<Context>,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Verdict {
    let remaining = Remaining::new(&setup.limits);
    if program.contracts.get(question.contract).is_none() {
        return unknown("there is no such contract", None);
    }
    let first = attempt(program, question, &[], context, &remaining, progress, counters);
    if matches!(&first, Ok(verdict) if !matches!(verdict, Verdict::TooWeak(_))) {
        return first.unwrap_or_else(Verdict::Unknown);
    }
    let search = |commands| {
        progress("looking for a run");
        let bound = Bound { commands, ..Bound::default() };
        let mut budget = Budget::new(&remaining.now());
        explore::search(program, question, &bound, &mut budget).trace()
    };
    if let Some(trace) = search(FIRST_COMMANDS) {
        return Verdict::Violated(trace);
    }
    let refined = refined(program, question, context, &remaining, progress, counters);
    if let Some(verdict @ (Verdict::Verified(_) | Verdict::Violated(_))) = refined {
        return verdict;
    }
    match search(MAX_COMMANDS) {
        Some(trace) => Verdict::Violated(trace),
        None => refined.unwrap_or_else(|| first.unwrap_or_else(Verdict::Unknown)),
    }
}

/// Once more with predicates that the code suggests, if there are any. If that does not help either, what was tried is
/// said.
fn refined(
    program: &Program,
    question: &Question,
    context: Option<Context>,
    remaining: &Remaining,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Option<Verdict> {
    let added = refine::proposals(program, question);
    if added.is_empty() || remaining.is_over() {
        return None;
    }
    count(&mut counters.refinements, added.len() as u64);
    let text = |t: &Track| match &t.object {
        Some(object) => print::formula_under(program, object, &t.clause.formula),
        None => print::formula(program, &t.clause.formula),
    };
    let texts: Vec<String> = added.iter().map(text).collect();
    progress(&format!("refining with {}", texts.join(", ")));
    match attempt(program, question, &added, context, remaining, progress, counters) {
        Ok(Verdict::TooWeak(mut weakness)) => {
            weakness.hint = Some(format!(
                "another predicate to `track` may tell these cells apart; tried as well: {}",
                texts.join(", ")
            ));
            Some(Verdict::TooWeak(weakness))
        }
        Ok(verdict) => Some(verdict),
        Err(_) => None,
    }
}

/// Tries with what is optimistically propagated, then with less, as the final check asks for.
///
/// A conjunct such as "the lists are acyclic" may hold at a loop head only because of what the heaps say there, and
/// the heaps may be that strong only because of the conjunct. So everything that holds when the loop is reached is
/// assumed while heaps are grown; the final check proves it with the heaps, or what it cannot prove is dropped.
fn attempt(
    program: &Program,
    question: &Question,
    proposed: &[Track],
    context: Option<Context>,
    remaining: &Remaining,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Result<Verdict, Reason> {
    let plain = |message: String| Reason { message, span: None };
    let live = live::live(program, question);
    let mut signatures = Vec::new();
    for l in background::loops(program) {
        let span = Some(program.loops[l.index()].span);
        let made = Signature::new(program, question, &live, proposed, l);
        signatures.push(made.map_err(|message| Reason { message, span })?);
    }
    counters.predicates = Some(signatures.iter().map(|s| s.n_predicates as u64).max().unwrap_or(0));
    progress("running small heaps");
    let shown = runs::shown(program, question, &signatures, &mut Budget::new(&remaining.now()));
    if let Some(trace) = shown.failing {
        return Ok(Verdict::Violated(trace));
    }
    if is_vacuous(program, question, remaining) {
        let message = "no state satisfies the precondition, so everything would follow".to_owned();
        return Err(plain(message));
    }
    progress("propagating the precondition");
    let candidates = background::candidates(program, question, &signatures);
    let asked = wp::conditions(program, question);
    let asked = asked.map_err(|reason| Reason { message: reason.message, span: reason.span })?;
    let mut prover = Prover::new(asked).map_err(plain)?;
    let mut propagated = |prover: &mut Prover<'_>, demand, counters: &mut Counters| {
        let before = prover.queries();
        let found = background::propagate(prover, &candidates, demand, remaining, progress);
        count(&mut counters.queries, prover.queries() - before);
        found.map_err(plain)
    };
    let mut kept = propagated(&mut prover, Demand::Initially, counters)?;
    let trial = Trial {
        program,
        question,
        remaining,
        progress,
        signatures: &signatures,
        candidates: &candidates,
        shown: &shown.heaps,
    };
    let returns = match context {
        Some(_) => Some(Signature::at_return(program, question, &live).map_err(plain)?),
        None => None,
    };
    let mut safe = None;
    loop {
        let (outcome, failing) = match (context, &returns) {
            (Some(context), Some(returns)) => {
                let mut failing = vec![Vec::new(); program.loops.len()];
                let run = contexts::run(&trial, &mut prover, &kept, returns, context, counters, &mut failing);
                (run, failing)
            }
            _ => trial.run(&mut prover, &kept, counters),
        };
        if matches!(outcome, Ok(Verdict::Verified(_))) || remaining.is_over() {
            return outcome;
        }
        let safe = match &safe {
            Some(safe) => safe,
            None => safe.insert(propagated(&mut prover, Demand::Always, counters)?),
        };
        if kept == *safe {
            return outcome;
        }
        weaken(&mut kept, &failing, safe);
        count(&mut counters.refinements, 1);
    }
}

/// Whether what is assumed at the entry is contradictory.
fn is_vacuous(program: &Program, question: &Question, remaining: &Remaining) -> bool {
    let Ok(conditions) = wp::conditions(program, question) else { return false };
    let Ok(mut solver) = prove::solver(&conditions) else { return false };
    solver.set_limits(prove::short(&remaining.now(), prove::STEPS));
    matches!(solver.check(), crate::engine::solver::Answer::Unsat(_))
}

/// Drops the candidates that could not be proved; if that are none, all that are not safe.
fn weaken(kept: &mut Numbers, failing: &Numbers, safe: &Numbers) {
    let before = kept.clone();
    for (kept, failing) in kept.iter_mut().zip(failing) {
        kept.retain(|c| !failing.contains(c));
    }
    if *kept == before {
        kept.clone_from(safe);
    }
}

fn count(counter: &mut Option<u64>, more: u64) {
    *counter = Some(counter.unwrap_or(0) + more);
}
