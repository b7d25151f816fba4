//! Tests of the grounding: against a finite model finder, incremental against fresh, proofs, growth.

mod finder;
mod generate;
mod growth;
mod proofs;
mod shapes;
mod traces;
mod truth;

use super::{GroundAnswer, Grounder};
use crate::logic::{Evaluator, TermId, Terms};
use crate::util::limits::Budget;

/// Checks with no limit.
fn check(grounder: &mut Grounder, terms: &mut Terms, assumptions: &[TermId]) -> GroundAnswer {
    grounder.check(terms, assumptions, &mut Budget::unlimited()).expect("no limit is set")
}

/// Whether these formulas together have a model, by a grounder of their own.
fn fresh(terms: &mut Terms, formulas: &[TermId]) -> bool {
    let mut grounder = Grounder::new(false);
    for &formula in formulas {
        grounder.assert(terms, formula);
    }
    check(&mut grounder, terms, &[]) == GroundAnswer::Sat
}

/// Asserts that the model of the last answer satisfies every formula, by both evaluators.
fn satisfies(grounder: &mut Grounder, terms: &Terms, formulas: &[TermId]) {
    let model = grounder.model(terms);
    let mut evaluator = Evaluator::new(terms, &model);
    for &formula in formulas {
        assert_eq!(evaluator.holds(formula), Ok(true), "the model satisfies the formula");
        let compiled = grounder.holds(terms, formula, &mut Budget::unlimited());
        assert_eq!(compiled, Ok(true), "the compiled formula is true as well");
    }
}
