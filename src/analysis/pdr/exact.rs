//! The inferred invariant proved again in the exact semantics, where heaps may be cyclic: by the verification
//! conditions of [`program::wp`](crate::program::wp) and the LISBQ solver. Shares no encoding with the search.
//!
//! That is how an entry about whose chains `requires` is silent can still be `verified`, and how the tests
//! check every invariant.

use crate::engine::solver::{Answer, Config, Solver};
use crate::program::{Clause, Formula, LoopId, Program, Question, wp};
use crate::util::limits::{Budget, Limits};

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
        solver.set_limits(limits.clone());
        match solver.check_assuming(&[obligation.path, wrong]) {
            Ok(Answer::Unsat(_)) => {}
            _ => return false,
        }
    }
    true
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
