//! Enumeration of truths: all models of some formulas, as far as some literals tell them apart.
//!
//! Models that were met before come first (`pool`), then the core is asked for others. Most of its questions have models,
//! but finding one among quantifiers takes it long; said that there are few cells, it finds one soon. Where there is
//! no answer, literals are decided one after the other and what is not refuted stays: too many truths weaken a heap,
//! missing ones would be noticed by the final check only.
//!
//! NOTE: after [`MAX_DOUBTS`] questions without an answer in one enumeration, a truth without a small model counts as
//! refuted. The heaps may then be a little stronger than those of the pure post. Of the verdicts of Figure 10 this
//! leaves `too-weak` as it is (weaker heaps prove less) and `verified` backed by the proof of the invariant; whether the
//! pure post alone would have come to the same `verified` is not shown.

use super::cartesian::{Fixpoint, STEPS};
use super::pool::Of;
use super::prove::{self, Owner};
use crate::engine::solver::Answer;
use crate::logic::TermId;
use std::collections::BTreeSet;

/// Work that a question may take in a solver of its own, where an answer is needed to end an enumeration.
const OWN_STEPS: u64 = 30_000;
/// Work that a question may take before small models are looked for.
const FIRST_STEPS: u64 = 3_000;
/// Work that the search for small models may take.
const SMALL_STEPS: u64 = 60_000;
/// Questions without answer in one enumeration, after which what has no model counts as refuted.
const MAX_DOUBTS: usize = 64;
/// Truths that are enumerated at most.
const MAX_TRUTHS: usize = 400;

/// What came of a question.
pub(super) enum Found {
    /// There is no model.
    Refuted,
    /// A model, which is in the pool.
    Model,
    /// Neither is known, or a model is known to exist.
    Unclear,
}

impl Fixpoint<'_> {
    /// The answer to a question about a way or a place. Where the core has none soon, small models are looked for; if
    /// there are none of these, a refutation is worth more work. A model is kept in the pool.
    pub(super) fn answer(&mut self, of: Of, formulas: &[TermId], is_needed: bool) -> Result<Answer, String> {
        if self.remaining.is_over() {
            return Err(self.remaining.why_over());
        }
        let mut answer = self.asked(formulas, FIRST_STEPS)?;
        if let Answer::Unknown(_) = answer {
            let bounded = [&self.bound, formulas].concat();
            let small = self.asked(&bounded, SMALL_STEPS)?;
            let by_bound = |core: &[TermId]| core.iter().any(|f| self.bound.contains(f));
            answer = match small {
                Answer::Unsat(refutation) if by_bound(&refutation.assumptions) => {
                    if is_needed {
                        // What earlier questions left behind may be in the way.
                        let mut own = prove::with_facts(self.solver.terms().clone(), &self.facts)?;
                        let asked = self.remaining.ask(Owner::Own, &mut own, formulas, OWN_STEPS);
                        self.remaining.release(Owner::Own);
                        asked.map_err(|e| e.to_string())?
                    } else {
                        self.asked(formulas, STEPS)?
                    }
                }
                other => other,
            };
        }
        if let Answer::Sat(model) = &answer {
            self.pool.add(of, self.solver.terms(), model, &self.cells);
        }
        Ok(answer)
    }

    fn asked(&mut self, formulas: &[TermId], steps: u64) -> Result<Answer, String> {
        self.remaining.ask(Owner::Growth, &mut self.solver, formulas, steps).map_err(|e| e.to_string())
    }

    pub(super) fn literal(&mut self, term: TermId, truth: bool) -> Result<TermId, String> {
        if truth { Ok(term) } else { self.solver.terms_mut().not(term).map_err(|e| e.to_string()) }
    }

    /// All truths of the literals, as far as the core does not refute them.
    pub(super) fn enumerate(
        &mut self,
        of: Of,
        base: &[TermId],
        literals: &[TermId],
    ) -> Result<Vec<Vec<bool>>, String> {
        let mut found: BTreeSet<Vec<bool>> = BTreeSet::new();
        // Models before this one have been looked at.
        let mut next = 0;
        self.read(of, base, literals, &mut next, &mut found);
        loop {
            let mut formulas = base.to_vec();
            for truths in &found {
                let mut differs = Vec::new();
                for (&l, &truth) in literals.iter().zip(truths) {
                    differs.push(self.literal(l, !truth)?);
                }
                formulas.push(self.solver.terms_mut().or(&differs).map_err(|e| e.to_string())?);
            }
            self.queries += 1;
            let before = found.len();
            match self.answer(of, &formulas, true)? {
                Answer::Unsat(_) => return Ok(found.into_iter().collect()),
                Answer::Unknown(_) => break,
                Answer::Sat(_) => self.read(of, base, literals, &mut next, &mut found),
            }
            if found.len() > MAX_TRUTHS {
                return Err("there are too many heaps".to_owned());
            }
            if found.len() == before {
                break;
            }
        }
        // Some question has no answer: literal by literal, and what is not refuted stays.
        let mut doubts = 0;
        let mut open: Vec<Vec<bool>> = vec![Vec::new()];
        while let Some(prefix) = open.pop() {
            let is_found = found.iter().any(|truths| truths.starts_with(&prefix));
            if !is_found {
                let mut formulas = base.to_vec();
                for (&l, &truth) in literals.iter().zip(&prefix) {
                    formulas.push(self.literal(l, truth)?);
                }
                self.queries += 1;
                match self.answer(of, &formulas, true)? {
                    Answer::Unsat(_) => continue,
                    Answer::Sat(_) => self.read(of, base, literals, &mut next, &mut found),
                    // Without a small model there is likely none; the final check would notice.
                    Answer::Unknown(_) if doubts == MAX_DOUBTS => continue,
                    Answer::Unknown(_) => doubts += 1,
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

    /// Adds the truths that the literals have in models which are new in the pool.
    fn read(
        &mut self,
        of: Of,
        base: &[TermId],
        literals: &[TermId],
        next: &mut usize,
        found: &mut BTreeSet<Vec<bool>>,
    ) {
        let terms = self.solver.terms();
        for i in *next..self.pool.len(of) {
            if self.pool.satisfies(of, i, terms, base) {
                found.extend(self.pool.truths(of, i, terms, literals));
            }
        }
        *next = self.pool.len(of);
    }
}
