//! Smaller cores on the EPR route, and what making cores smaller may cost.

use super::Solver;
use crate::engine::ground::GroundAnswer;
use crate::logic::TermId;
use crate::util::limits::{Budget, Stop};

impl Solver {
    /// As [`Solver::minimise`], for the EPR route. If a proof is wanted, the last check is an unsat one with
    /// the core returned.
    pub(super) fn minimise_ground(
        &mut self,
        mut core: Vec<TermId>,
        spent: &Budget,
    ) -> Result<Vec<TermId>, Stop> {
        if !self.config.minimise_cores || core.len() < 2 {
            return Ok(core);
        }
        let mut last_is_core = true;
        let mut budget = self.minimising_budget(spent);
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let mut fewer = core.clone();
            fewer.remove(at);
            let answer = self.ground.check(&mut self.terms, &fewer, &mut budget);
            last_is_core = matches!(answer, Ok(GroundAnswer::Unsat { .. }));
            match answer {
                Ok(GroundAnswer::Unsat { core: kept }) => {
                    core = fewer.into_iter().filter(|f| kept.contains(f)).collect();
                }
                Ok(GroundAnswer::Sat) => at += 1,
                Err(_) => break,
            }
        }
        if last_is_core || !self.config.proofs {
            return Ok(core);
        }
        // The proof is about the last check.
        match self.ground.check(&mut self.terms, &core, &mut spent.watch())? {
            GroundAnswer::Unsat { core } => Ok(core),
            GroundAnswer::Sat => unreachable!("a core stays unsatisfiable"),
        }
    }

    /// What minimising may cost: a little of what the check took, more where names ask for good cores.
    pub(super) fn minimising_budget(&self, spent: &Budget) -> Budget {
        let named = self.assertions.iter().any(|a| a.name.is_some());
        let (factor, more) = if named { (20, 500_000) } else { (1, 200) };
        spent.extended(spent.used().saturating_mul(factor).saturating_add(more))
    }
}
