//! Engine `heaps`: loop invariants that are Boolean heaps, after Wies's Bohne.
//!
//! Predicates of cells and of states are tracked or derived (`signature`); conjuncts of the precondition are
//! propagated to the loop heads (`background`). The heaps at the loop heads (`boolean`) come from three sources: runs
//! of the interpreter on small entry states and on larger ones made from them (`runs`, `stretch`; they also refute most
//! wrong programs at once), models that refute
//! a piece of the invariant (`trial`), and where that comes to no end, models of "one round of the loop leaves the heaps"
//! (`learn`). The result is an invariant of the annotation language: literals, short clauses, and clauses about all
//! cells (`text`).
//!
//! `verified` does not depend on how the invariant was found. Every obligation of the program
//! ([`program::wp`](crate::program::wp)) is proved from pieces that are assumed at the loop heads, and each of these
//! pieces in every state that arrives there; a piece that cannot be is dropped, and what was proved from it is proved
//! again (`prove`). `violated` needs a run that the interpreter makes. Otherwise
//! the verdict is `too-weak`, with the heaps at the loop. A precondition that nothing satisfies is `unknown`.
//!
//! The analysis of the paper, Cartesian post cube by cube with a context and the return abstracted (`cartesian`, `clean`,
//! `materialise`, `contexts`, `returned`, `places`, `enumerate`), runs when a context is asked for ([`run_in_context`], Figure 10). It is kept for
//! comparison: it takes several times longer, because one model shows a whole heap while the Cartesian post asks for each
//! predicate of each cube, and enumeration has to end in a proof that there is no further heap.
//!
//! When the property fails, predicates that the code suggests are added (`refine`): first those in the core of a proof of
//! the failed obligation from all of them, then all.
//!
//! Missing: `\tree` itself is not decided (`unknown`, with its place); trees are described through a father field, real
//! or ghost. That father is what the code or the user's ghost statements make it, which proves rotations, insertions and
//! removals (`tests/programs/beyond/heaps_ghost_*`). `rules/shapes/father.rules` and
//! its neighbours say what it has to be after a write, and are proved right there; this engine does not apply them, on
//! purpose. An update that only the engine knows of would make its invariants speak of another program than the one that
//! the interpreter runs and the certificate is checked against; it belongs into the lowering of `shape tree`, where all
//! engines see it.

mod background;
mod boolean;
mod cache;
mod cartesian;
mod claims;
mod clean;
mod contexts;
mod derive;
mod enumerate;
mod fields;
mod learn;
mod live;
mod materialise;
mod places;
mod pool;
mod prove;
mod ranges;
mod refine;
mod returned;
mod runs;
mod signature;
mod stretch;
mod tautology;
#[cfg(test)]
mod tests;
mod text;
mod trial;

use self::background::{Demand, Numbers};
pub use self::cache::Cache;
pub use self::cartesian::Context;
use self::prove::{Owner, Prover, Remaining};
use self::signature::{More, Signature};
use self::trial::{Failed, Trial};
use super::{Progress, Setup};
use crate::engine::solver::Answer;
use crate::program::encode::Moments;
use crate::program::encode::formula::Side;
use crate::program::explore::Bound;
use crate::program::{Program, Question, Track, print, wp};
use crate::util::hash::Map;
use crate::util::limits::Budget;
use crate::util::options;
use crate::util::span::Span;
use crate::verdict::{Author, Counters, Outcome, Reason, Verdict};
use std::cell::RefCell;

/// This engine in the table.
pub struct Heaps;

impl super::Engine for Heaps {
    fn author(&self) -> Author {
        Author::Heaps
    }

    fn takes(&self) -> &'static str {
        "infers quantified invariants over `track` predicates of heap objects"
    }

    fn run(&self, program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
        run(program, question, setup, progress)
    }
}

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    if let Some(context) = setup.variants.context {
        return run_in_context(program, question, setup, (context, &mut Cache::default()), progress);
    }
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, &mut None, progress, &mut counters);
    Outcome { engine: Author::Heaps, verdict, counters }
}

/// The same by the analysis of the paper with this context, the return abstracted too. A cache that has served other
/// functions saves questions.
#[must_use]
pub fn run_in_context(
    program: &Program,
    question: &Question,
    setup: &Setup,
    (context, cache): (Context, &mut Cache),
    progress: Progress<'_>,
) -> Outcome {
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, &mut Some((context, cache)), progress, &mut counters);
    Outcome { engine: Author::Heaps, verdict, counters }
}

/// What is asked, and what all attempts share.
struct Job<'a> {
    program: &'a Program,
    question: &'a Question,
    remaining: &'a Remaining,
    progress: Progress<'a>,
    /// The obligation that failed last.
    failed: RefCell<Option<Failed>>,
}

/// The analysis of the paper with a context and a cache, if it is asked for.
type InContext<'a> = Option<(Context, &'a mut Cache)>;

fn unknown(message: impl Into<String>, span: Option<Span>) -> Verdict {
    Verdict::Unknown(Reason { message: message.into(), span })
}

fn decide(
    program: &Program,
    question: &Question,
    setup: &Setup,
    context: &mut InContext<'_>,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Verdict {
    if program.contracts.get(question.contract).is_none() {
        return unknown("there is no such contract", None);
    }
    let unusable = inexpressible(program, question);
    let Some((first, reason)) = unusable.first() else {
        return decide_tracked(program, question, setup, context, progress, counters);
    };
    // What cannot be asked about tells no heaps apart: the others may be enough.
    let mut without = program.clone();
    without.tracks.retain(|track| unusable.iter().all(|(span, _)| *span != track.clause.span));
    match decide_tracked(&without, question, setup, context, progress, counters) {
        decided @ (Verdict::Verified(_) | Verdict::Violated(_)) => decided,
        Verdict::TooWeak(_) | Verdict::Unknown(_) => {
            unknown(format!("this predicate cannot be used: {reason}"), Some(*first))
        }
    }
}

fn decide_tracked(
    program: &Program,
    question: &Question,
    setup: &Setup,
    context: &mut InContext<'_>,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Verdict {
    let remaining = Remaining::new(&setup.limits);
    let job = Job { program, question, remaining: &remaining, progress, failed: RefCell::new(None) };
    let first = attempt(&job, More::default(), context, counters);
    if matches!(&first, Ok(verdict) if !matches!(verdict, Verdict::TooWeak(_))) {
        return first.unwrap_or_else(Verdict::Unknown);
    }
    let search = |commands| {
        progress("looking for a run");
        let bound = Bound { commands, ..Bound::default() };
        let mut budget = Budget::new(&remaining.now());
        let found = setup.searches.search(program, question, &bound, &mut budget).trace();
        remaining.spend(budget.used());
        found
    };
    if let Some(trace) = search(options::HEAPS_FIRST_SEARCH.get()) {
        return Verdict::Violated(trace);
    }
    // Contexts are compared over the predicates that were given: others would hide what a context does.
    let is_fixed = context.is_some() && !program.tracks.is_empty();
    let refined = if is_fixed { None } else { refined(&job, context, counters) };
    if let Some(verdict @ (Verdict::Verified(_) | Verdict::Violated(_))) = refined {
        return verdict;
    }
    match search(options::HEAPS_LAST_SEARCH.get()) {
        Some(trace) => Verdict::Violated(trace),
        None => refined.unwrap_or_else(|| first.unwrap_or_else(Verdict::Unknown)),
    }
}

/// The tracked predicates that have no counterpart in the logic: their places, and why.
fn inexpressible(program: &Program, question: &Question) -> Vec<(Span, String)> {
    if program.tracks.is_empty() {
        return Vec::new();
    }
    let Ok(mut conditions) = wp::conditions(program, question) else { return Vec::new() };
    let labels = Map::default();
    let moments = Moments { now: &conditions.entry, entry: &conditions.entry, labels: &labels };
    let encoder = &mut conditions.encoder;
    let mut out = Vec::new();
    for Track { object, clause, .. } in &program.tracks {
        let made = match object.as_ref().and_then(|object| Some((object.id, object.of?))) {
            Some((id, of)) => {
                let sort = encoder.sort_of(of);
                let cell = encoder.unknown("object", sort);
                cell.and_then(|cell| encoder.formula_with(moments, (id, cell), &clause.formula, Side::Prove))
            }
            None => encoder.formula(moments, &clause.formula, Side::Prove),
        };
        out.extend(made.err().map(|reason| (clause.span, reason.0)));
    }
    out
}

/// Once more with predicates that the code suggests, if there are any: first with those that the failed obligation
/// follows from, then with all. If that does not help either, what was tried is said.
fn refined(job: &Job<'_>, context: &mut InContext<'_>, counters: &mut Counters) -> Option<Verdict> {
    let &Job { program, question, remaining, progress, .. } = job;
    let all = refine::proposals(program, question);
    let is_tracked = program.tracks.iter().any(|t| t.object.is_some());
    let back_links = fields::of_back_links(program, question);
    let mut rounds = vec![(helping(job, &all, counters), false), (all.clone(), is_tracked)];
    rounds.dedup_by_key(|(proposals, derived)| (proposals.len(), *derived));
    if !back_links.is_empty() {
        rounds.push((back_links.into_iter().chain(all).collect(), is_tracked));
    }
    let mut last = None;
    for (added, derived) in rounds {
        if (added.is_empty() && !derived) || remaining.is_over() {
            continue;
        }
        count(&mut counters.refinements, added.len() as u64);
        let text = |t: &Track| match &t.object {
            Some(object) => print::formula_under(program, object, &t.clause.formula),
            None => print::formula(program, &t.clause.formula),
        };
        let mut texts: Vec<String> = Vec::new();
        for text in added.iter().map(text) {
            // Two variables of one name have predicates that read the same.
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if derived {
            texts.push("what the contract suggests".to_owned());
        }
        progress(&format!("refining with {}", texts.join(", ")));
        match attempt(job, More { proposed: &added, derived }, context, counters) {
            Ok(Verdict::TooWeak(mut weakness)) => {
                weakness.hint = Some(format!(
                    "another predicate to `track` may tell these cells apart; tried as well: {}",
                    texts.join(", ")
                ));
                last = Some(Verdict::TooWeak(weakness));
            }
            Ok(verdict) => {
                counters.added = texts;
                return Some(verdict);
            }
            Err(_) => {}
        }
    }
    last
}

/// The proposals that a failed obligation needs, if all of them together prove it: those in the core.
fn helping(job: &Job<'_>, proposals: &[Track], counters: &mut Counters) -> Vec<Track> {
    let &Job { program, question, remaining, .. } = job;
    let Some((obligation, mut pieces)) = job.failed.take() else { return Vec::new() };
    let made = wp::conditions(program, question).ok().and_then(|c| Prover::new(c).ok());
    let Some(mut prover) = made else { return Vec::new() };
    let Some(failed) = prover.conditions.obligations.get(obligation) else { return Vec::new() };
    let Ok(goal) = failed.goal.clone() else { return Vec::new() };
    let place = prove::Place { path: failed.path, heads: failed.heads.clone() };
    let mut origin = Vec::new();
    for l in background::loops(program) {
        for (i, proposal) in proposals.iter().enumerate() {
            if proposal.object.is_none() && proposal.at.is_none_or(|at| at == l) {
                origin.push(((l, pieces[l.index()].len()), i));
                pieces[l.index()].push(proposal.clause.formula.clone());
            }
        }
    }
    let proof = prover.prove(&place, goal, &pieces, (remaining, options::HEAPS_PROVE_STEPS.get()));
    count(&mut counters.queries, prover.queries());
    remaining.release(Owner::Prover);
    let prove::Proof::Proved(used) = proof else { return Vec::new() };
    let needed = |i: usize| origin.iter().any(|(piece, from)| *from == i && used.contains(piece));
    (0..proposals.len()).filter(|&i| needed(i)).map(|i| proposals[i].clone()).collect()
}

/// Tries with what is optimistically propagated, then with less, as the final check asks for.
///
/// A conjunct such as "the lists are acyclic" may hold at a loop head only because of what the heaps say there, and
/// the heaps may be that strong only because of the conjunct. So everything that holds when the loop is reached is
/// assumed while heaps are grown; the final check proves it with the heaps, or what it cannot prove is dropped.
fn attempt(
    job: &Job<'_>,
    more: More<'_>,
    context: &mut InContext<'_>,
    counters: &mut Counters,
) -> Result<Verdict, Reason> {
    let &Job { program, question, remaining, progress, .. } = job;
    let plain = |message: String| Reason { message, span: None };
    let live = live::live(program, question);
    let mut signatures = Vec::new();
    for l in background::loops(program) {
        let span = Some(program.loops[l.index()].span);
        let made = Signature::new(program, question, &live, more, l);
        signatures.push(made.map_err(|message| Reason { message, span })?);
    }
    counters.predicates = Some(signatures.iter().map(|s| s.n_predicates as u64).max().unwrap_or(0));
    progress("running small heaps");
    let mut budget = Budget::new(&remaining.now());
    let shown = runs::shown(program, question, &signatures, &mut budget);
    remaining.spend(budget.used());
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
    let propagated = |prover: &mut Prover<'_>, demand, counters: &mut Counters| {
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
        failed: &job.failed,
    };
    let returns = match context {
        Some(_) => Some(Signature::at_return(program, question, &live).map_err(plain)?),
        None => None,
    };
    let mut safe = None;
    loop {
        let (outcome, failing) = match (&mut *context, &returns) {
            (Some((context, cache)), Some(returns)) => {
                let mut failing = vec![Vec::new(); program.loops.len()];
                let with = (*context, &mut **cache);
                let run = contexts::run(&trial, &mut prover, &kept, returns, with, counters, &mut failing);
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
    let answer = remaining.ask(Owner::Own, &mut solver, &[], options::HEAPS_PROVE_STEPS.get());
    remaining.release(Owner::Own);
    matches!(answer, Ok(Answer::Unsat(_)))
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
