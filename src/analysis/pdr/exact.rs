//! The inferred invariant proved again in the exact semantics, where heaps may be cyclic: by the verification
//! conditions of [`program::wp`](crate::program::wp) and the LISBQ solver. Shares no encoding with the search.
//!
//! That is how an entry about whose chains `requires` is silent can still be `verified`, and how the tests
//! check every invariant.

use crate::engine::solver::{Answer, Config, Solver};
use crate::program::{Clause, Formula, LoopId, Program, Question, wp};
use crate::util::limits::{Budget, Limits};
use crate::util::options;
use crate::util::span::Span;

/// Whether the invariants, added to those of the program, are proved inductive and sufficient within the
/// limits.
#[must_use]
pub fn proves(
    program: &Program,
    question: &Question,
    invariants: &[(LoopId, Vec<Formula>)],
    limits: &Limits,
    budget: &mut Budget,
) -> bool {
    let annotated = annotated(program, invariants);
    let Ok(conditions) = wp::conditions(&annotated, question) else { return false };
    let config = Config { minimise_cores: false, ..Config::default() };
    let mut solver = Solver::with_terms(config, conditions.encoder.terms.clone());
    for &fact in conditions.encoder.facts.iter().chain(&conditions.hypotheses) {
        if solver.assert(fact).is_err() {
            return false;
        }
    }
    for obligation in &conditions.obligations {
        if budget.poll().is_err() {
            return false;
        }
        let Ok(goal) = &obligation.goal else { return false };
        let Ok(wrong) = solver.terms_mut().not(*goal) else { return false };
        solver.set_limits(budget.within(limits));
        match solver.check_assuming(&[obligation.path, wrong]) {
            Ok(Answer::Unsat(_)) => {}
            _ => return false,
        }
    }
    true
}

/// Formulas at a loop.
pub(super) type ByLoop = (LoopId, Vec<Formula>);

/// Where the spans begin that name optional formulas: behind every source.
const OPTIONAL: u32 = 1 << 30;

/// The invariants with as many of the optional formulas as are proved inductive with them; nothing if these do not
/// prove the property within the limits.
pub(super) fn settled(
    program: &Program,
    question: &Question,
    (known, mut optional): (&[ByLoop], Vec<ByLoop>),
    budget: &mut Budget,
) -> Option<Vec<ByLoop>> {
    let config = Config { minimise_cores: false, ..Config::default() };
    for _ in 0..options::PDR_REPROVE_ROUNDS.get() {
        let mut annotated = annotated(program, known);
        for (at, formulas) in &optional {
            let of = annotated.loops.get_mut(at.index())?;
            for (i, f) in formulas.iter().enumerate() {
                let tag = OPTIONAL + (at.0 << 10) + u32::try_from(i).ok()?;
                of.invariants.push(Clause { formula: f.clone(), span: Span::new(tag, tag) });
            }
        }
        let conditions = wp::conditions(&annotated, question).ok()?;
        let mut solver = Solver::with_terms(config.clone(), conditions.encoder.terms.clone());
        for &fact in conditions.encoder.facts.iter().chain(&conditions.hypotheses) {
            solver.assert(fact).ok()?;
        }
        let mut failed = Vec::new();
        for obligation in &conditions.obligations {
            budget.poll().ok()?;
            let wrong = solver.terms_mut().not(*obligation.goal.as_ref().ok()?).ok()?;
            solver.set_limits(budget.within(&limits()));
            match solver.check_assuming(&[obligation.path, wrong]) {
                Ok(Answer::Unsat(_)) => {}
                _ if obligation.span.start >= OPTIONAL => failed.push(obligation.span.start),
                // Perhaps only because of an optional formula that fails as well.
                _ if failed.is_empty() => return None,
                _ => break,
            }
        }
        if failed.is_empty() {
            let both = |(at, clauses): &ByLoop| {
                let mine = optional.iter().filter(|(other, _)| other == at);
                (*at, clauses.iter().cloned().chain(mine.flat_map(|(_, f)| f.iter().cloned())).collect())
            };
            return Some(known.iter().map(both).collect());
        }
        for (at, formulas) in &mut optional {
            let mut i = 0;
            formulas.retain(|_| {
                let tag = OPTIONAL + (at.0 << 10) + i;
                i += 1;
                !failed.contains(&tag)
            });
        }
    }
    None
}

/// The program with the invariants in it.
#[must_use]
pub fn annotated(program: &Program, invariants: &[(LoopId, Vec<Formula>)]) -> Program {
    let mut program = program.clone();
    // Bound variables of inferred invariants are numbered after those of the program.
    program.bounds += 1 << 14;
    for (at, formulas) in invariants {
        if let Some(of) = program.loops.get_mut(at.index()) {
            let span = of.span;
            of.invariants.extend(formulas.iter().map(|f| Clause { formula: f.clone(), span }));
        }
    }
    program
}

/// What one obligation may cost when the entry is in doubt.
pub(super) fn limits() -> Limits {
    Limits { steps: Some(2_000_000), ..Limits::default() }
}
