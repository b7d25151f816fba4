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

use self::background::Numbers;
use self::boolean::Heaps;
pub use self::cartesian::Context;
use self::prove::{Proof, Remaining};
use self::signature::Signature;
use self::tautology::Tautologies;
use self::text::{draw, formulas_of};
use super::{Progress, Setup};
use crate::program::explore::{self, Bound};
use crate::program::wp::{self, Obligation};
use crate::program::{Formula, LoopId, Program, Question, print};
use crate::util::limits::Budget;
use crate::util::span::Span;
use crate::verdict::{AbstractStep, Certificate, Counters, Failure, Outcome, Reason, Verdict, Weakness};

/// Name of this engine.
pub const NAME: &str = "heaps";

/// Questions of the final check without answer, after which the pieces of the invariant that cannot be proved are
/// dropped.
const MAX_OPEN: usize = 1;

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
    let first = attempt(program, question, context, &remaining, progress, counters);
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
    let texts: Vec<String> = added.iter().map(|t| print::formula(program, &t.clause.formula)).collect();
    progress(&format!("refining with {}", texts.join(", ")));
    let mut more = program.clone();
    more.tracks.extend(added);
    match attempt(&more, question, context, remaining, progress, counters) {
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
        let made = Signature::new(program, question, &live, l);
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
    let propagated =
        background::propagate(program, question, &candidates, remaining, progress).map_err(plain)?;
    count(&mut counters.queries, propagated.queries);
    let (mut kept, safe) = (propagated.initially, propagated.always);
    let trial = Trial {
        program,
        question,
        remaining,
        progress,
        signatures: &signatures,
        candidates: &candidates,
        shown: &shown.heaps,
    };
    if let Some(context) = context {
        let returns = Signature::at_return(program, question, &live).map_err(plain)?;
        loop {
            let mut failing = vec![Vec::new(); program.loops.len()];
            let outcome = contexts::run(&trial, &kept, &returns, context, counters, &mut failing);
            if matches!(outcome, Ok(Verdict::Verified(_))) || kept == safe || remaining.is_over() {
                return outcome;
            }
            weaken(&mut kept, &failing, &safe);
            count(&mut counters.refinements, 1);
        }
    }
    loop {
        let (outcome, failing) = trial.run(&kept, counters);
        if matches!(outcome, Ok(Verdict::Verified(_))) || kept == safe || remaining.is_over() {
            return outcome;
        }
        weaken(&mut kept, &failing, &safe);
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

/// One attempt, given what is assumed to be propagated.
struct Trial<'a> {
    program: &'a Program,
    question: &'a Question,
    remaining: &'a Remaining,
    progress: Progress<'a>,
    signatures: &'a [Signature],
    candidates: &'a [Formula],
    /// What runs showed, by loop.
    shown: &'a [Heaps],
}

impl Trial<'_> {
    /// The verdict, and the candidates that the final check did not prove.
    fn run(&self, kept: &Numbers, counters: &mut Counters) -> (Result<Verdict, Reason>, Numbers) {
        let mut failing: Numbers = vec![Vec::new(); self.program.loops.len()];
        let outcome = self.result(kept, counters, &mut failing);
        (outcome, failing)
    }

    fn conditions<'p>(&self, program: &'p Program) -> Result<wp::Conditions<'p>, Reason>
    where
        Self: 'p,
    {
        let asked = wp::conditions(program, self.question);
        asked.map_err(|reason| Reason { message: reason.message, span: reason.span })
    }

    fn result(
        &self,
        kept: &Numbers,
        counters: &mut Counters,
        failing: &mut Numbers,
    ) -> Result<Verdict, Reason> {
        let mut heaps = self.shown.to_vec();
        let bare = self.conditions(self.program)?;
        let mut tautologies =
            Tautologies::new(bare, self.signatures).map_err(|message| Reason { message, span: None })?;
        // Questions without an answer: after some, no more heaps are looked for.
        let mut open = 0;
        for round in 0..learn::ROUNDS {
            let mut added = self.grown(kept, round, &mut heaps, &mut tautologies, counters)?;
            counters.signatures = Some(heaps.iter().map(|h| h.heaps.len() as u64).sum());
            let more = round + 1 < learn::ROUNDS && open < MAX_OPEN;
            loop {
                failing.iter_mut().for_each(Vec::clear);
                match self.check(kept, &added, more, &mut heaps, counters, failing)? {
                    Checked::Proved => return Ok(self.verified(kept, added, counters)),
                    Checked::Grown { by_model } => {
                        open += usize::from(!by_model);
                        break;
                    }
                    Checked::Dropped(pieces) => {
                        for (l, i) in pieces.into_iter().rev() {
                            added[l.index()].remove(i);
                        }
                        count(&mut counters.refinements, 1);
                    }
                    Checked::Failed(obligation, Some(reason)) => {
                        let message = format!("{}: {reason}", obligation.what);
                        return Err(Reason { message, span: Some(span_of(self.program, &obligation)) });
                    }
                    Checked::Failed(obligation, None) => {
                        return Ok(too_weak(self.program, &obligation, self.signatures, &heaps));
                    }
                }
            }
        }
        Err(Reason { message: "the heaps could not be closed".to_owned(), span: None })
    }

    fn verified(&self, kept: &Numbers, added: Vec<Vec<Formula>>, counters: &mut Counters) -> Verdict {
        let mut invariants = Vec::new();
        for (l, (kept, added)) in background::loops(self.program).zip(kept.iter().zip(added)) {
            let propagated = kept.iter().map(|&c| self.candidates[c].clone());
            invariants.push((l, propagated.chain(added).collect::<Vec<_>>()));
        }
        counters.clauses = Some(invariants.iter().map(|(_, f)| f.len() as u64).sum());
        Verdict::Verified(Certificate::Invariants(invariants))
    }

    /// Grows heaps until they are closed, as far as the core finds models. The invariants that they are.
    fn grown(
        &self,
        kept: &Numbers,
        round: usize,
        heaps: &mut Vec<Heaps>,
        tautologies: &mut Tautologies,
        counters: &mut Counters,
    ) -> Result<Vec<Vec<Formula>>, Reason> {
        let plain = |message: String| Reason { message, span: None };
        (self.progress)("growing heaps");
        let propagated = background::annotated(self.program, self.candidates, kept, &[]);
        let conditions = self.conditions(&propagated)?;
        let (signatures, remaining) = (self.signatures, self.remaining);
        let learnt =
            learn::learn(heaps, round, conditions, signatures, tautologies, remaining, self.progress);
        let learnt = learnt.map_err(|stuck| {
            count(&mut counters.queries, stuck.queries);
            plain(format!("the heaps could not be closed: {}", stuck.message))
        })?;
        count(&mut counters.queries, learnt.queries);
        *heaps = learnt.heaps;
        let mut out = Vec::new();
        for (l, (heaps, signature)) in heaps.iter().zip(signatures).enumerate() {
            let whole = heaps.invariant(&signature.widths());
            let pruned = tautologies.pruned(l, whole, &remaining.now());
            out.push(formulas_of(signature, &pruned.map_err(|e| plain(e.to_string()))?));
        }
        count(&mut counters.queries, std::mem::take(&mut tautologies.queries));
        Ok(out)
    }

    /// Proves the program with the invariants. If `more` rounds may follow, ends at the first model that shows a new
    /// heap.
    fn check(
        &self,
        kept: &Numbers,
        added: &[Vec<Formula>],
        more: bool,
        heaps: &mut [Heaps],
        counters: &mut Counters,
        failing: &mut [Vec<usize>],
    ) -> Result<Checked, Reason> {
        let plain = |message: String| Reason { message, span: None };
        (self.progress)("proving the invariant");
        let annotated = background::annotated(self.program, self.candidates, kept, added);
        let mut conditions = self.conditions(&annotated)?;
        let mut readings = Vec::new();
        for arrival in conditions.arrivals.clone() {
            let signature = &self.signatures[arrival.of.index()];
            let made = learn::reading(&mut conditions.encoder, &conditions.entry, &arrival.now, signature);
            readings.push((made.map_err(|reason| plain(reason.0))?, arrival));
        }
        let mut solver = prove::solver(&conditions).map_err(plain)?;
        counters.obligations = Some(conditions.obligations.len() as u64);
        let mut failed: Option<(Obligation, Option<String>)> = None;
        let mut dropped: Vec<(LoopId, usize)> = Vec::new();
        let mut grown = None;
        for (i, obligation) in conditions.obligations.iter().enumerate() {
            (self.progress)(&format!("obligation {} of {}", i + 1, conditions.obligations.len()));
            if self.remaining.is_over() {
                return Err(plain("the time is up".to_owned()));
            }
            let of_loop = match obligation.kind {
                wp::Kind::Initially(l) | wp::Kind::Preserved(l) => Some(l),
                wp::Kind::Place => None,
            };
            let limits = self.remaining.now();
            let is_piece = background::added_of(obligation.span).is_some();
            let limits = if is_piece { prove::short(&limits, prove::STEPS) } else { limits };
            let proof = prove::check(&mut solver, &conditions, i, &limits);
            if proof.is_proved() {
                continue;
            }
            if let (Some(c), Some(l)) = (background::candidate_of(obligation.span), of_loop) {
                failing[l.index()].push(c);
            }
            let piece = background::added_of(obligation.span).zip(of_loop).map(|(i, l)| (l, i));
            let reason = match proof {
                Proof::Open(reason) => Some(reason),
                Proof::Refuted(model) if more => {
                    let mut by_model = false;
                    for (reading, arrival) in readings.iter().filter(|(_, a)| Some(a.of) == of_loop) {
                        if learn::holds(&solver, &model, arrival.path)
                            && let Some((atoms, objects)) = learn::abstracted(&solver, &model, reading)
                        {
                            by_model |= heaps[arrival.of.index()].add(atoms, objects);
                        }
                    }
                    if by_model {
                        grown = Some(true);
                        break;
                    }
                    None
                }
                Proof::Proved | Proof::Refuted(_) => None,
            };
            if let Some(piece) = piece {
                if more {
                    grown = Some(false);
                    break;
                }
                if !dropped.contains(&piece) {
                    dropped.push(piece);
                }
            }
            if failed.as_ref().is_none_or(|(_, open)| open.is_some() && reason.is_none()) {
                failed = Some((obligation.clone(), reason));
            }
        }
        count(&mut counters.queries, solver.stats().queries);
        dropped.sort_unstable();
        Ok(match (grown, failed) {
            (Some(by_model), _) => Checked::Grown { by_model },
            (None, _) if !dropped.is_empty() => Checked::Dropped(dropped),
            (None, None) => Checked::Proved,
            (None, Some((obligation, reason))) => Checked::Failed(Box::new(obligation), reason),
        })
    }
}

/// What the check of an invariant gave.
enum Checked {
    /// Everything was proved.
    Proved,
    /// There may be more heaps; whether a model showed one.
    Grown {
        /// One was added.
        by_model: bool,
    },
    /// These pieces of the heaps' invariant could not be proved: loop and number. The rest may be enough.
    Dropped(Vec<(LoopId, usize)>),
    /// This was not, and why if no model shows it.
    Failed(Box<Obligation>, Option<String>),
}

/// The place of an obligation in the source; of a propagated conjunct its loop.
fn span_of(program: &Program, obligation: &Obligation) -> Span {
    match obligation.kind {
        wp::Kind::Initially(l) | wp::Kind::Preserved(l) if background::is_made(obligation.span) => {
            program.loops[l.index()].span
        }
        _ => obligation.span,
    }
}

/// The obligation that the heaps do not exclude, with the heaps.
fn too_weak(
    program: &Program,
    obligation: &Obligation,
    signatures: &[Signature],
    heaps: &[Heaps],
) -> Verdict {
    let span = span_of(program, obligation);
    let failure = Failure { check: obligation.check, message: obligation.what.clone(), span };
    let mut abstract_trace = Vec::new();
    for (l, (signature, heaps)) in background::loops(program).zip(signatures.iter().zip(heaps)) {
        let location = program.loops[l.index()].head;
        for text in draw(program, signature, heaps) {
            abstract_trace.push(AbstractStep { location, text });
        }
    }
    abstract_trace.push(AbstractStep { location: obligation.location, text: obligation.what.clone() });
    let hint = Some("another predicate to `track` may tell these cells apart".to_owned());
    Verdict::TooWeak(Box::new(Weakness { failure, abstract_trace, state: None, hint }))
}
