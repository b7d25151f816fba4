//! The EPR route of the public solver: one grounder that follows its scopes.
//!
//! Unnamed assertions go into the grounder's level of their scope, named ones are assumed as formulas, so
//! cores speak of them. The grounder keeps everything it learns; if the formulas of its life leave the
//! fragment together (a popped scope may have applied functions the other way round), it is made anew.

use crate::engine::ground::{GroundAnswer, Grounder, in_fragment};
use crate::logic::{Model, TermId, Terms};
use crate::proof::{Literal, Proof, Step};
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};

/// One scope of the caller: its identity and the unnamed assertions in it.
pub(crate) struct ScopeView<'a> {
    pub(crate) id: u64,
    pub(crate) assertions: &'a [TermId],
}

/// A grounder and what it was told.
pub(crate) struct GroundRoute {
    grounder: Grounder,
    proofs: bool,
    /// Scope and number of its assertions, for each level.
    levels: Vec<(u64, usize)>,
    /// Formulas with quantifiers that the grounder ever saw.
    life: Vec<TermId>,
    /// Formulas that are in the fragment by themselves and have no quantifiers.
    harmless: Set<TermId>,
}

impl GroundRoute {
    pub(crate) fn new(proofs: bool) -> GroundRoute {
        GroundRoute {
            grounder: Grounder::new(proofs),
            proofs,
            levels: Vec::new(),
            life: Vec::new(),
            harmless: Set::default(),
        }
    }

    /// Whether the formulas are an EPR problem with at least one quantifier. Takes notes, so it is cheap to
    /// ask again.
    pub(crate) fn accepts(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        let (ground, quantified): (Vec<TermId>, Vec<TermId>) =
            formulas.iter().partition(|&&f| terms.is_quantifier_free(f));
        if quantified.is_empty() || !self.accepts_ground(terms, &ground) {
            return false;
        }
        if quantified.iter().all(|q| self.life.contains(q)) {
            return true;
        }
        let mut life = self.life.clone();
        life.extend(quantified.iter().filter(|q| !self.life.contains(q)));
        if in_fragment(terms, &life).is_err() {
            if in_fragment(terms, &quantified).is_err() {
                return false;
            }
            *self = GroundRoute::new(self.proofs);
            life = quantified;
        }
        self.life = life;
        true
    }

    /// Whether the grounder was told assertions since it was made.
    pub(crate) fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Whether formulas without quantifiers may be assumed.
    pub(crate) fn accepts_ground(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        formulas.iter().all(|&formula| {
            let known = self.harmless.contains(&formula) || in_fragment(terms, &[formula]).is_ok();
            if known {
                self.harmless.insert(formula);
            }
            known
        })
    }

    /// Brings the levels of the grounder in line with the scopes, outermost first.
    pub(crate) fn follow(&mut self, terms: &mut Terms, scopes: &[ScopeView]) {
        let same = self.levels.iter().zip(scopes).take_while(|(level, scope)| level.0 == scope.id).count();
        while self.levels.len() > same.max(1) {
            self.grounder.pop();
            self.levels.pop();
        }
        for (i, scope) in scopes.iter().enumerate() {
            if self.levels.len() <= i {
                if i > 0 {
                    self.grounder.push();
                }
                self.levels.push((scope.id, 0));
            }
            let fed = &mut self.levels[i].1;
            for &formula in &scope.assertions[*fed..] {
                self.grounder.assert(terms, formula);
            }
            *fed = scope.assertions.len();
        }
    }

    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &mut Budget,
    ) -> Result<GroundAnswer, Stop> {
        self.grounder.check(terms, assumptions, budget)
    }

    /// The model of the last check, or a formula that is false in it: that would be our own fault.
    pub(crate) fn model(&mut self, terms: &Terms, formulas: &[TermId]) -> Result<Model, TermId> {
        match formulas.iter().find(|&&f| !self.grounder.holds(terms, f)) {
            Some(&formula) => {
                debug_assert!(false, "the finite model satisfies every formula");
                Err(formula)
            }
            None => Ok(self.grounder.model(terms)),
        }
    }

    /// The proof of the last check. `named` are the assertions that were assumed, `assumptions` the caller's.
    pub(crate) fn proof(&self, terms: &Terms, named: &[TermId], assumptions: &[TermId]) -> Option<Proof> {
        let mut proof = self.grounder.proof(terms)?;
        proof.steps.extend(named.iter().map(|&formula| Step::Assertion { formula }));
        let clause = assumptions.iter().map(|&a| Literal::new(terms, a, false)).collect();
        proof.steps.push(Step::Propagation { clause });
        Some(proof)
    }

    pub(crate) fn grounder(&self) -> &Grounder {
        &self.grounder
    }
}
