//! What the solver has done and what it holds.

use super::{Assertion, Solver};
use crate::util::stats::Stats;

impl Solver {
    /// Work done so far.
    pub fn stats(&self) -> Stats {
        let (counters, kernel) = (self.search.counters(), self.search.kernel());
        let ground = self.ground.grounder().stats();
        Stats {
            queries: self.queries,
            sat_calls: counters.calls + ground.sat_calls,
            theory_checks: kernel.n_checks + ground.theory_checks,
            decisions: counters.decisions + ground.decisions,
            conflicts: counters.conflicts + ground.conflicts,
            clauses: kernel.clausifier.n_clauses + ground.clauses,
            instances: kernel.quantifiers.n_instances + ground.instances,
            splits: kernel.n_splits,
            facts: kernel.theory.reach.n_facts,
            pivots: kernel.theory.linear.simplex.pivots(),
            restarts: counters.restarts + ground.restarts,
        }
    }

    /// Steps of all checks so far, in the measure of [`Limits::steps`](crate::util::limits::Limits::steps); minimising cores and building models apart.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Bytes held by the solver, as counted by its structures.
    pub fn memory_bytes(&self) -> u64 {
        let held = (self.assertions.capacity() * size_of::<Assertion>()) as u64;
        held + self.search.memory_bytes() + self.ground.grounder().memory_bytes() + self.terms.memory_bytes()
    }
}
