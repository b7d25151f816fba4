//! Enumeration of truths: all models of some formulas, as far as some literals tell them apart.
//!
//! Models that were met before come first (`pool`), then the core is asked for others. Most of its questions have models,
//! but finding one among quantifiers takes it long; said that there are few cells, it finds one soon.
//!
//! NOTE: where no answer comes, the enumeration ends. A truth that it misses is found again by the proof of the
//! invariant, which refutes a piece with a model, and that model shows the heap (`contexts`). So the heaps at the loops are
//! those of the post as far as the proof needs them, and `verified` is backed by the proof; `too-weak` comes from heaps
//! that models show, and with more heaps less would follow.

use super::cartesian::Fixpoint;
use super::pool::Of;
use super::prove::{self, Owner};
use crate::engine::solver::Answer;
use crate::logic::TermId;
use std::collections::BTreeSet;

/// Work that a question may take before small models are looked for.
const FIRST_STEPS: u64 = 3_000;
/// Work that the search for small models may take.
const SMALL_STEPS: u64 = 30_000;
/// Work that a refutation may take in a solver of its own.
const OWN_STEPS: u64 = 30_000;
/// Truths that are enumerated at most.
const MAX_TRUTHS: usize = 400;

/// What a question is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// An answer that comes at once; another question follows.
    Little,
    /// A model, if there is a small one.
    Model,
    /// A refutation as well.
    Refutation,
}

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
    /// The answer to a question about a way or a place. Where the core has none soon, small models are looked for; where
    /// none is found and a refutation is wanted, it is worth more work in a solver of its own, because what earlier
    /// questions left behind may be in the way. A model is kept in the pool.
    pub(super) fn answer(&mut self, of: Of, formulas: &[TermId], effort: Effort) -> Result<Answer, String> {
        if self.remaining.is_over() {
            return Err(self.remaining.why_over());
        }
        let mut answer = self.asked(formulas, FIRST_STEPS)?;
        if matches!(answer, Answer::Unknown(_)) && effort != Effort::Little {
            let bounded = [&self.bound, formulas].concat();
            let small = self.asked(&bounded, SMALL_STEPS)?;
            let is_bounded = |core: &[TermId]| core.iter().any(|f| self.bound.contains(f));
            match small {
                Answer::Unsat(refutation) if !is_bounded(&refutation.assumptions) => {
                    answer = Answer::Unsat(refutation);
                }
                Answer::Sat(model) => answer = Answer::Sat(model),
                _ if effort == Effort::Refutation => {
                    let mut own = prove::with_facts(self.solver.terms().clone(), &self.facts)?;
                    let asked = self.remaining.ask(Owner::Own, &mut own, formulas, OWN_STEPS);
                    self.remaining.release(Owner::Own);
                    answer = asked.map_err(|e| e.to_string())?;
                }
                _ => {}
            }
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

    /// The truths of the literals, as far as models show them.
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
            match self.answer(of, &formulas, Effort::Model)? {
                Answer::Unsat(_) | Answer::Unknown(_) => return Ok(found.into_iter().collect()),
                Answer::Sat(_) => self.read(of, base, literals, &mut next, &mut found),
            }
            if found.len() > MAX_TRUTHS {
                return Err("there are too many heaps".to_owned());
            }
            if found.len() == before {
                return Ok(found.into_iter().collect());
            }
        }
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
