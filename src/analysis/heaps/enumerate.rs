//! Enumeration of truths: all models of some formulas, as far as some literals tell them apart.
//!
//! Where the core has no answer, literals are decided one after the other and what is not refuted stays: too many
//! truths weaken a heap, missing ones would be noticed by the final check only.

use super::cartesian::{Fixpoint, STEPS};
use super::prove::{self, Owner};
use crate::engine::solver::Answer;
use crate::logic::eval::Evaluator;
use crate::logic::{Model, TermId};
use std::collections::BTreeSet;

/// Work that a question may take in a solver of its own, where an answer is needed to end an enumeration.
const OWN_STEPS: u64 = 100_000;
/// Truths that are enumerated at most.
const MAX_TRUTHS: usize = 400;

/// What came of a question.
pub(super) enum Found {
    /// There is no model.
    Refuted,
    /// A model.
    Model(Box<Model>),
    /// Neither is known, or a model is known to exist.
    Unclear,
}

impl Fixpoint<'_> {
    fn ask(&mut self, formulas: &[TermId]) -> Result<Found, String> {
        if self.remaining.is_over() {
            return Err(self.remaining.why_over());
        }
        let answer = self.remaining.ask(Owner::Growth, &mut self.solver, formulas, STEPS);
        let mut answer = answer.map_err(|e| e.to_string())?;
        if let Answer::Unknown(_) = answer {
            // What earlier questions left behind may be in the way.
            let mut own = prove::with_facts(self.solver.terms().clone(), &self.facts)?;
            let asked = self.remaining.ask(Owner::Own, &mut own, formulas, OWN_STEPS);
            self.remaining.release(Owner::Own);
            answer = asked.map_err(|e| e.to_string())?;
        }
        match answer {
            Answer::Unsat(_) => Ok(Found::Refuted),
            Answer::Sat(model) => Ok(Found::Model(model)),
            Answer::Unknown(_) => Ok(Found::Unclear),
        }
    }

    pub(super) fn literal(&mut self, term: TermId, truth: bool) -> Result<TermId, String> {
        if truth { Ok(term) } else { self.solver.terms_mut().not(term).map_err(|e| e.to_string()) }
    }

    /// All truths of the literals, as far as the core does not refute them.
    pub(super) fn enumerate(
        &mut self,
        base: &[TermId],
        literals: &[TermId],
    ) -> Result<Vec<Vec<bool>>, String> {
        let mut found: BTreeSet<Vec<bool>> = BTreeSet::new();
        let mut formulas = base.to_vec();
        loop {
            self.queries += 1;
            match self.ask(&formulas)? {
                Found::Refuted => return Ok(found.into_iter().collect()),
                Found::Unclear => break,
                Found::Model(model) => {
                    let mut evaluator = Evaluator::new(self.solver.terms(), &model);
                    let truths: Result<Vec<bool>, _> = literals.iter().map(|&l| evaluator.holds(l)).collect();
                    let truths = truths.map_err(|_| "a model could not be read".to_owned())?;
                    let mut differs = Vec::new();
                    for (&l, &truth) in literals.iter().zip(&truths) {
                        differs.push(self.literal(l, !truth)?);
                    }
                    let other = self.solver.terms_mut().or(&differs).map_err(|e| e.to_string())?;
                    formulas.push(other);
                    if !found.insert(truths) || found.len() > MAX_TRUTHS {
                        return Err("there are too many heaps".to_owned());
                    }
                }
            }
        }
        // Some question has no answer: literal by literal, and what is not refuted stays.
        let mut open: Vec<Vec<bool>> = vec![Vec::new()];
        while let Some(prefix) = open.pop() {
            let is_found = found.iter().any(|truths| truths.starts_with(&prefix));
            if !is_found {
                let mut formulas = base.to_vec();
                for (&l, &truth) in literals.iter().zip(&prefix) {
                    formulas.push(self.literal(l, truth)?);
                }
                self.queries += 1;
                if matches!(self.ask(&formulas)?, Found::Refuted) {
                    continue;
                }
            }
            if prefix.len() == literals.len() {
                found.insert(prefix);
                if found.len() > MAX_TRUTHS {
                    return Err("there are too many heaps".to_owned());
                }
                continue;
            }
            for truth in [false, true] {
                let mut longer = prefix.clone();
                longer.push(truth);
                open.push(longer);
            }
        }
        Ok(found.into_iter().collect())
    }
}
