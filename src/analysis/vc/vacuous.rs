//! Contracts that no call can satisfy: of such a function everything is true, and somebody should know.

use crate::engine::solver::{Answer, Config, Solver};
use crate::program::wp;
use crate::program::{Program, Question};
use crate::util::limits::Limits;
use crate::util::options;

/// Whether it is proved that no state satisfies the `requires` of the contract, with what holds at every entry.
#[must_use]
pub fn is_vacuous(program: &Program, question: &Question) -> bool {
    if program.contracts.get(question.contract).is_none_or(|c| c.requires.is_empty()) {
        return false;
    }
    let Ok(conditions) = wp::conditions_by_need(program, question) else { return false };
    let mut solver = Solver::with_terms(Config::default(), conditions.encoder.terms.clone());
    let mut all = conditions.encoder.facts.iter().chain(&conditions.hypotheses);
    if all.any(|&fact| solver.assert(fact).is_err()) {
        return false;
    }
    solver.set_limits(Limits { steps: Some(options::VC_VACUOUS.get()), ..Limits::default() });
    matches!(solver.check_assuming(&[]), Ok(Answer::Unsat(_)))
}
