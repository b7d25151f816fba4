//! Clauses that may be invariants: which of them are inductive together, and which of those a proof needs.
//!
//! [`inductive`] starts with all candidates and drops one when it does not hold initially or after a round in which all
//! that are left held before (Houdini). A model that refutes one is asked about the others too. What is left is the
//! largest part that the core can show to be inductive; it is an answer only if every other obligation follows from it.
//! [`minimal`] leaves clauses out, many at a time and then one by one, as long as everything is still proved.

use super::solve::{Result as Proof, Task};
use super::{Remaining, failed};
use crate::analysis::{Progress, Setup};
use crate::logic::eval::Evaluator;
use crate::program::wp::{self, Kind};
use crate::program::{At, Clause, Formula, IntKind, LoopId, Program, Question, Term, Type, Var, VarKind};
use crate::util::limits::Stop;
use crate::util::options;
use crate::util::span::Span;
use crate::verdict::Counters;

/// A clause and the loop it is proposed for.
type Candidate = (LoopId, Formula);

/// The largest part of the candidates that is shown to be inductive, if it proves the program.
///
/// # Errors
/// Why there is none.
pub fn inductive(
    program: &Program,
    question: &Question,
    candidates: &[(LoopId, Vec<Formula>)],
    setup: &Setup,
    progress: Progress<'_>,
) -> Result<Vec<(LoopId, Vec<Formula>)>, String> {
    let remaining = Remaining::new(&setup.limits);
    let mut left: Vec<Candidate> = flat(candidates);
    loop {
        progress(&format!("{} candidates for invariants", left.len()));
        let annotated = with(program, &left);
        annotated.validate().map_err(|e| e.0)?;
        let conditions = wp::conditions(&annotated, question).map_err(|reason| reason.message)?;
        let task = Task { conditions: &conditions, remaining: &remaining, jobs: setup.jobs, progress };
        let mut dropped = vec![false; left.len()];
        refuted(&task, &mut dropped)?;
        if !dropped.contains(&true) {
            break;
        }
        let mut keep = dropped.iter().map(|d| !d);
        left.retain(|_| keep.next() == Some(true));
    }
    if proves(program, question, &left, setup, &remaining) {
        return Ok(by_loop(candidates, &left));
    }
    Err(format!("{} clauses of the shape graphs are inductive, but they do not prove everything", left.len()))
}

/// Marks the candidates that do not hold initially or are not kept.
fn refuted(task: &Task<'_, '_>, dropped: &mut [bool]) -> Result<(), String> {
    let obligations = &task.conditions.obligations;
    let candidate = |i: usize| match obligations[i].kind {
        Kind::Place => None,
        Kind::Initially(_) | Kind::Preserved(_) => number(obligations[i].span).filter(|n| *n < dropped.len()),
    };
    let about: Vec<Option<usize>> = (0..obligations.len()).map(candidate).collect();
    let mut worker = task.worker().map_err(|e| e.to_string())?;
    for i in 0..obligations.len() {
        let Some(n) = about[i].filter(|n| !dropped[*n]) else { continue };
        if task.remaining.now().time.is_some_and(|t| t.is_zero()) {
            return Err(Stop::Deadline.to_string());
        }
        match task.check_model(&mut worker, i, Some(options::VC_FIRST_WORK.get())) {
            (Proof::Proved, _) => {}
            (_, None) => dropped[n] = true,
            (_, Some(model)) => {
                dropped[n] = true;
                let mut evaluator = Evaluator::new(worker.solver.terms(), &model);
                for (j, other) in obligations.iter().enumerate().skip(i + 1) {
                    let Some(m) = about[j].filter(|m| !dropped[*m]) else { continue };
                    if other.path == obligations[i].path
                        && let Ok(goal) = other.goal
                        && evaluator.holds(goal) == Ok(false)
                    {
                        dropped[m] = true;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A part of the invariants without which something is not proved; all of them if time is short.
#[must_use]
pub fn minimal(
    program: &Program,
    question: &Question,
    invariants: &[(LoopId, Vec<Formula>)],
    setup: &Setup,
    progress: Progress<'_>,
) -> Vec<(LoopId, Vec<Formula>)> {
    let remaining = Remaining::new(&setup.limits);
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in flat(invariants) {
        if !kept.contains(&candidate) {
            kept.push(candidate);
        }
    }
    if let Some(needed) = needed(program, question, &kept, setup, &remaining) {
        let mut needed = needed.into_iter();
        kept.retain(|_| needed.next() == Some(true));
    }
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < kept.len() {
            if remaining.now().time.is_some_and(|t| t.is_zero()) {
                return by_loop(invariants, &kept);
            }
            progress(&format!("{} clauses of invariants", kept.len()));
            let end = (at + size).min(kept.len());
            let fewer: Vec<Candidate> = kept[..at].iter().chain(&kept[end..]).cloned().collect();
            if proves(program, question, &fewer, setup, &remaining) {
                kept = fewer;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    by_loop(invariants, &kept)
}

/// Which clauses the proofs use that the core finds: those of everything but the clauses, and those of the clauses used.
/// Each clause stands under a switch of its own; the switches in the core of a proof are the clauses that it uses. `None` if
/// something is not proved.
fn needed(
    program: &Program,
    question: &Question,
    clauses: &[Candidate],
    setup: &Setup,
    remaining: &Remaining,
) -> Option<Vec<bool>> {
    let mut switched = program.clone();
    let first = switched.vars.len();
    let mut under = Vec::new();
    for (n, (at, formula)) in clauses.iter().enumerate() {
        let (ty, span) = (Type::Int(IntKind { bits: 1, signed: false }), program.span);
        let name = format!("switch {n}");
        let v = switched.add_var(Var { name, ty, kind: VarKind::Logic, len: None, span });
        let on = Formula::ne(Term::Var(v, At::Now), Term::Int(0));
        under.push((*at, Formula::Implies(Box::new(on), Box::new(formula.clone()))));
    }
    let annotated = with(&switched, &under);
    let conditions = wp::conditions(&annotated, question).ok()?;
    let task = Task { conditions: &conditions, remaining, jobs: setup.jobs, progress: &|_| {} };
    let mut worker = task.worker().ok()?;
    let mut switches = Vec::new();
    for n in 0..clauses.len() {
        let terms = worker.solver.terms_mut();
        let zero = terms.int(0);
        let off = terms.eq(conditions.entry.vars[first + n], zero).ok()?;
        switches.push(terms.not(off).ok()?);
    }
    // By obligation: what it is about, and what its proof uses.
    let mut uses: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (i, obligation) in conditions.obligations.iter().enumerate() {
        let core = task.core(&mut worker, i, &switches, options::VC_FIRST_WORK.get())?;
        let used = (0..clauses.len()).filter(|n| core.contains(&switches[*n])).collect();
        let about = match obligation.kind {
            Kind::Place => None,
            Kind::Initially(_) | Kind::Preserved(_) => number(obligation.span).filter(|n| *n < clauses.len()),
        };
        uses.push((about, used));
    }
    let mut needed = vec![false; clauses.len()];
    loop {
        let before = needed.clone();
        for (about, used) in &uses {
            if about.is_none_or(|n| before[n]) {
                used.iter().for_each(|n| needed[*n] = true);
            }
        }
        if needed == before {
            return Some(needed);
        }
    }
}

/// Whether everything follows with these clauses as invariants.
fn proves(
    program: &Program,
    question: &Question,
    clauses: &[Candidate],
    setup: &Setup,
    remaining: &Remaining,
) -> bool {
    let annotated = with(program, clauses);
    let Ok(conditions) = wp::conditions(&annotated, question) else { return false };
    let task = Task { conditions: &conditions, remaining, jobs: setup.jobs, progress: &|_| {} };
    let open = vec![Proof::Open(String::new()); conditions.obligations.len()];
    let found = task.run(open, Some(options::VC_FIRST_WORK.get()), &mut Counters::default());
    failed(&found).is_none()
}

fn flat(clauses: &[(LoopId, Vec<Formula>)]) -> Vec<Candidate> {
    clauses.iter().flat_map(|(at, all)| all.iter().map(|f| (*at, f.clone()))).collect()
}

fn by_loop(all: &[(LoopId, Vec<Formula>)], kept: &[Candidate]) -> Vec<(LoopId, Vec<Formula>)> {
    let of = |at: LoopId| kept.iter().filter(|(l, _)| *l == at).map(|(_, f)| f.clone()).collect();
    all.iter().map(|(at, _)| (*at, of(*at))).collect()
}

/// The program with the clauses as invariants; the span of each says its number.
fn with(program: &Program, clauses: &[Candidate]) -> Program {
    let mut annotated = program.clone();
    for (n, (at, formula)) in clauses.iter().enumerate() {
        annotated.bounds = annotated.bounds.max(formula.bounds());
        let end = u32::MAX - u32::try_from(n).unwrap_or(u32::MAX);
        let span = Span::new(end, end);
        annotated.loops[at.index()].invariants.push(Clause { formula: formula.clone(), span });
    }
    annotated
}

/// The number that a span says. No source text is that long.
fn number(span: Span) -> Option<usize> {
    (span.start == span.end).then(|| (u32::MAX - span.start) as usize)
}
