//! The EPR route of the public solver: one grounder that follows its scopes.
//!
//! Unnamed assertions go into the grounder's level of their scope, named ones are assumed as formulas, so
//! cores speak of them. The grounder keeps everything it learns; if the formulas of its life leave the
//! fragment together (a popped scope may have applied functions the other way round), it is made anew.

use crate::engine::ground::{GroundAnswer, Grounder, in_fragment};
use crate::engine::guarded::Guarded;
use crate::logic::{Model, TermId, Terms};
use crate::proof::{Literal, Proof, Step};
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};

/// New assertions between two looks at the limits.
const POLL_ASSERTIONS: usize = 256;

/// One scope of the caller: its identity and its first assertion.
#[derive(Clone, Copy)]
pub(crate) struct ScopeView {
    pub(crate) id: u64,
    pub(crate) start: usize,
}

/// What one level of the grounder was told.
struct Level {
    scope: u64,
    /// Assertions before this one have been told.
    fed: usize,
    /// What a model has to satisfy.
    told: Guarded,
}

/// A formula that is false in the grounder's model.
fn violated(
    told: &Guarded,
    terms: &Terms,
    grounder: &mut Grounder,
    budget: &mut Budget,
) -> Result<Option<TermId>, Stop> {
    if let Some(violated) = first_violated(&told.plain, terms, grounder, budget)? {
        return Ok(Some(violated));
    }
    for (guard, formulas) in &told.groups {
        if grounder.is_on(*guard)
            && let Some(violated) = first_violated(formulas, terms, grounder, budget)?
        {
            return Ok(Some(violated));
        }
    }
    Ok(None)
}

fn first_violated(
    formulas: &[TermId],
    terms: &Terms,
    grounder: &mut Grounder,
    budget: &mut Budget,
) -> Result<Option<TermId>, Stop> {
    for &formula in formulas {
        if !grounder.holds(terms, formula, budget)? {
            return Ok(Some(formula));
        }
    }
    Ok(None)
}

/// A grounder and what it was told.
pub(crate) struct GroundRoute {
    grounder: Grounder,
    proofs: bool,
    levels: Vec<Level>,
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

    /// Whether the formulas are EPR together with all that was accepted since the grounder was made.
    pub(crate) fn accepts_more(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        let mut life = self.life.clone();
        for &formula in formulas {
            if !terms.is_quantifier_free(formula) {
                if !life.contains(&formula) {
                    life.push(formula);
                }
            } else if !self.harmless.contains(&formula) {
                if in_fragment(terms, &[formula]).is_err() {
                    return false;
                }
                self.harmless.insert(formula);
            }
        }
        let accepted = life.len() == self.life.len() || in_fragment(terms, &life).is_ok();
        if accepted {
            self.life = life;
        }
        accepted
    }

    /// Whether the formulas are EPR by themselves; if so, a new grounder is ready for them.
    pub(crate) fn accepts_anew(&mut self, terms: &Terms, formulas: &[TermId]) -> bool {
        let mut new = GroundRoute::new(self.proofs);
        std::mem::swap(&mut new.harmless, &mut self.harmless);
        let accepted = new.accepts_more(terms, formulas);
        match accepted {
            true => *self = new,
            false => self.harmless = new.harmless,
        }
        accepted
    }

    /// Brings the levels of the grounder in line with the scopes, outermost first: `unnamed` is the formula
    /// of an assertion without a name, of which there are `n`, named ones included. After a stop the next call
    /// goes on where this one ended.
    pub(crate) fn follow(
        &mut self,
        terms: &mut Terms,
        scopes: &[ScopeView],
        n: usize,
        unnamed: impl Fn(usize) -> Option<TermId>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let same = self.levels.iter().zip(scopes).take_while(|(level, scope)| level.scope == scope.id);
        let same = same.count();
        while self.levels.len() > same.max(1) {
            self.grounder.pop();
            self.levels.pop();
        }
        for (i, &ScopeView { id, start }) in scopes.iter().enumerate() {
            if self.levels.len() <= i {
                if i > 0 {
                    self.grounder.push();
                }
                self.levels.push(Level { scope: id, fed: start, told: Guarded::default() });
            }
            let level = &mut self.levels[i];
            let end = scopes.get(i + 1).map_or(n, |inner| inner.start);
            while level.fed < end {
                if let Some(formula) = unnamed(level.fed) {
                    self.grounder.assert(terms, formula);
                    level.told.add(terms, formula);
                }
                level.fed += 1;
                if level.fed.is_multiple_of(POLL_ASSERTIONS) {
                    if budget.watches_memory() {
                        let own = self.grounder.memory_bytes();
                        budget.set_memory(self.grounder.held_beside + own + terms.memory_bytes());
                    }
                    budget.poll()?;
                }
            }
        }
        Ok(())
    }

    /// Notes how many bytes are held beside the grounder.
    pub(crate) fn set_held_beside(&mut self, bytes: u64) {
        self.grounder.held_beside = bytes;
    }

    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &mut Budget,
    ) -> Result<GroundAnswer, Stop> {
        self.grounder.check(terms, assumptions, budget)
    }

    /// The model of the last check, or a formula that is false in it: that would be our own fault. Besides
    /// what was told, `assumed` has to hold.
    pub(crate) fn model(
        &mut self,
        terms: &Terms,
        assumed: &[TermId],
        budget: &mut Budget,
    ) -> Result<Result<Model, TermId>, Stop> {
        let GroundRoute { grounder, levels, .. } = self;
        let mut violated = first_violated(assumed, terms, grounder, budget)?;
        for level in levels.iter() {
            if violated.is_none() {
                violated = self::violated(&level.told, terms, grounder, budget)?;
            }
        }
        debug_assert!(violated.is_none(), "the finite model satisfies every formula");
        Ok(match violated {
            Some(formula) => Err(formula),
            None => Ok(self.grounder.model(terms)),
        })
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
