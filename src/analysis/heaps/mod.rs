//! Engine `heaps`: loop invariants that are Boolean heaps, after Wies's Bohne.
//!
//! Predicates of cells and of states are tracked or derived ([`signature`]); conjuncts of the precondition are
//! propagated to the loop heads ([`background`]); the heaps at the loop heads are the least ones closed under the
//! code ([`learn`], [`boolean`]). The result is an invariant of the annotation language: literals, a disjunction,
//! and clauses about all cells.
//!
//! `verified` does not depend on how the invariant was found. It is written into the program as if the user had,
//! and every obligation of that program ([`program::wp`](crate::program::wp)) is proved by a new solver.
//! `violated` needs a run that the interpreter makes. Otherwise the verdict is `too-weak`, with the heaps at
//! the loop.

mod background;
mod boolean;
mod learn;
mod lemma;
mod live;
mod prove;
mod rewrite;
mod signature;

use self::boolean::{AtomLiteral, Heaps, Invariant};
use self::prove::{Proof, Remaining};
use self::signature::Signature;
use super::{Progress, Setup};
use crate::program::explore::{self, Bound};
use crate::program::wp::{self, Obligation};
use crate::program::{Formula, Program, Question, print};
use crate::util::limits::Budget;
use crate::util::span::Span;
use crate::verdict::{AbstractStep, Certificate, Counters, Failure, Outcome, Reason, Verdict, Weakness};

/// Name of this engine.
pub const NAME: &str = "heaps";

/// Commands that the search for a failing run may execute.
const MAX_COMMANDS: u64 = 10_000_000;

/// Proves or refutes one contract of a function.
#[must_use]
pub fn run(program: &Program, question: &Question, setup: &Setup, progress: Progress<'_>) -> Outcome {
    let mut counters = Counters::default();
    let verdict = decide(program, question, setup, progress, &mut counters);
    Outcome { engine: NAME, verdict, counters }
}

fn unknown(message: impl Into<String>, span: Option<Span>) -> Verdict {
    Verdict::Unknown(Reason { message: message.into(), span })
}

fn decide(
    program: &Program,
    question: &Question,
    setup: &Setup,
    progress: Progress<'_>,
    counters: &mut Counters,
) -> Verdict {
    let remaining = Remaining::new(&setup.limits);
    if program.contracts.get(question.contract).is_none() {
        return unknown("there is no such contract", None);
    }
    let completed = lemma::completed(program);
    match attempt(&completed, question, &remaining, progress, counters) {
        Ok(verdict) if !matches!(verdict, Verdict::TooWeak(_)) => verdict,
        other => {
            progress("looking for a run");
            let bound = Bound { commands: MAX_COMMANDS, ..Bound::default() };
            let mut budget = Budget::new(&remaining.now());
            match explore::search(program, question, &bound, &mut budget).trace() {
                Some(trace) => Verdict::Violated(trace),
                None => other.unwrap_or_else(|reason| Verdict::Unknown(reason)),
            }
        }
    }
}

fn attempt(
    program: &Program,
    question: &Question,
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
    progress("propagating the precondition");
    let candidates = background::candidates(program, question, &signatures);
    let (mut added, asked) =
        background::propagate(program, question, &candidates, remaining, progress).map_err(plain)?;
    counters.queries = Some(asked);
    progress("growing heaps");
    let propagated = background::annotated(program, &added);
    let conditions = wp::conditions(&propagated, question)
        .map_err(|reason| Reason { message: reason.message, span: reason.span })?;
    let learnt = learn::learn(program, conditions, &signatures, remaining, progress);
    let learnt = learnt.map_err(|stuck| {
        counters.queries = Some(asked + stuck.queries);
        plain(format!("the heaps could not be closed: {}", stuck.message))
    })?;
    counters.queries = Some(asked + learnt.queries);
    counters.signatures = Some(learnt.heaps.iter().map(|h| h.heaps.len() as u64).sum());
    for ((formulas, heaps), signature) in added.iter_mut().zip(&learnt.heaps).zip(&signatures) {
        formulas.extend(formulas_of(signature, &heaps.invariant(&signature.widths())));
    }
    counters.clauses = Some(added.iter().map(|a| a.len() as u64).sum());
    progress("proving the invariant");
    let annotated = background::annotated(program, &added);
    let conditions = wp::conditions(&annotated, question)
        .map_err(|reason| Reason { message: reason.message, span: reason.span })?;
    let mut solver = prove::solver(&conditions).map_err(plain)?;
    counters.obligations = Some(conditions.obligations.len() as u64);
    let mut failed: Option<(&Obligation, Proof)> = None;
    for (i, obligation) in conditions.obligations.iter().enumerate() {
        progress(&format!("obligation {} of {}", i + 1, conditions.obligations.len()));
        let proof = prove::check(&mut solver, &conditions, i, &remaining.now());
        let refuted = proof == Proof::Refuted;
        if proof != Proof::Proved && (failed.is_none() || refuted) {
            failed = Some((obligation, proof));
        }
        if refuted || remaining.is_over() {
            break;
        }
    }
    counters.queries = counters.queries.map(|q| q + solver.stats().queries);
    match failed {
        None if remaining.is_over() => Err(plain("the time is up".to_owned())),
        None => {
            let loops = background::loops(program).zip(added);
            Ok(Verdict::Verified(Certificate::Invariants(loops.collect())))
        }
        Some((obligation, Proof::Open(reason))) => {
            let message = format!("{}: {reason}", obligation.what);
            Err(Reason { message, span: Some(obligation.span) })
        }
        Some((obligation, _)) => Ok(too_weak(program, obligation, &signatures, &learnt.heaps)),
    }
}

/// The obligation that the heaps do not exclude, with the heaps.
fn too_weak(
    program: &Program,
    obligation: &Obligation,
    signatures: &[Signature],
    heaps: &[Heaps],
) -> Verdict {
    let failure =
        Failure { check: obligation.check, message: obligation.what.clone(), span: obligation.span };
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

/// One line per heap: what holds of the rows, then the objects.
fn draw(program: &Program, signature: &Signature, heaps: &Heaps) -> Vec<String> {
    let atom = |i: usize| print::formula(program, &signature.atoms[i]);
    heaps
        .heaps
        .iter()
        .map(|(atoms, objects)| {
            let known: Vec<String> = (0..atoms.len()).filter(|&i| atoms[i]).map(atom).collect();
            let mut cells = Vec::new();
            for (kind, objects) in signature.kinds.iter().zip(objects) {
                for object in objects {
                    let holds = (0..kind.predicates.len()).filter(|i| object >> i & 1 == 1);
                    let texts: Vec<String> =
                        holds.map(|i| print::formula_under(program, &kind.object, &kind.predicates[i])).collect();
                    cells.push(format!("[{}]", texts.join(", ")));
                }
            }
            format!("heap: {}; cells: {}", known.join(", "), cells.join(" "))
        })
        .collect()
}

fn cube(signature: &Signature, literals: &[AtomLiteral]) -> Formula {
    let literal = |&(i, truth): &AtomLiteral| {
        let atom = signature.atoms[i].clone();
        if truth { atom } else { atom.negate() }
    };
    Formula::all(literals.iter().map(literal))
}

/// An invariant in the annotation language, conjunct by conjunct.
fn formulas_of(signature: &Signature, invariant: &Invariant) -> Vec<Formula> {
    let mut out: Vec<Formula> = invariant.units.iter().map(|&u| cube(signature, &[u])).collect();
    match invariant.cover.as_slice() {
        [] => out.push(Formula::Const(false)),
        [_] => {}
        cubes => out.push(Formula::Or(cubes.iter().map(|c| cube(signature, c)).collect())),
    }
    for universal in &invariant.universals {
        let kind = &signature.kinds[universal.kind];
        let mut parts = Vec::new();
        for (i, predicate) in kind.predicates.iter().enumerate() {
            if universal.mask >> i & 1 == 1 {
                let holds = universal.value >> i & 1 == 1;
                parts.push(if holds { predicate.clone().negate() } else { predicate.clone() });
            }
        }
        let all = Formula::Forall(kind.object.clone(), Box::new(Formula::Or(parts)));
        out.push(match universal.guard.as_slice() {
            [] => all,
            guard => Formula::Implies(Box::new(cube(signature, guard)), Box::new(all)),
        });
    }
    out
}

