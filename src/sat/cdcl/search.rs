//! The search loop of a plain query.
//!
//! Assumption number i is the decision of level i + 1. The trail outlives the query: the next one keeps the
//! levels whose decisions are its first assumptions, so callers should put what changes least first.

use super::Cdcl;
use super::demand::Trail;
use crate::sat::Outcome;
use crate::sat::lit::{Lit, Var};
use crate::util::limits::{Budget, Stop};

/// After so many conflicts in one query the variable activities choose instead of the demand.
const PATIENCE: u32 = 64;

/// Chooses decisions for [`Cdcl::solve_with`].
pub trait Decide {
    /// The next decision, an open literal; none leaves the choice to the variable activities.
    fn decide(&mut self, cdcl: &Cdcl) -> Option<Lit>;
}

impl<F: FnMut(&Cdcl) -> Option<Lit>> Decide for F {
    fn decide(&mut self, cdcl: &Cdcl) -> Option<Lit> {
        self(cdcl)
    }
}

/// The Luby sequence 1 1 2 1 1 2 4 ..., from index 0.
fn luby(mut index: u64) -> u64 {
    loop {
        let length = (index + 2).next_power_of_two();
        if index + 2 == length {
            return length / 2;
        }
        index -= length / 2 - 1;
    }
}

impl Cdcl {
    /// Decides whether the clauses have a model in which the assumptions are true. A stopped query leaves
    /// the solver usable.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Outcome, Stop> {
        self.solve_with(assumptions, &mut |_: &Cdcl| None, budget)
    }

    /// [`Cdcl::solve`] with decisions from outside.
    pub fn solve_with(
        &mut self,
        assumptions: &[Lit],
        decide: &mut impl Decide,
        budget: &mut Budget,
    ) -> Result<Outcome, Stop> {
        self.has_model = false;
        self.core.clear();
        budget.poll()?;
        if !self.ok {
            return Ok(Outcome::Unsat);
        }
        let shared = self.levels.iter().zip(assumptions).take_while(|(level, lit)| level.decision == **lit);
        self.backtrack_to(shared.count() as u32);
        self.maintain();
        let others = budget.memory_used().saturating_sub(self.memory_bytes());
        let mut restarts = 0;
        let mut conflicts = 0u32;
        let mut patience = luby(0) * u64::from(self.config.restart);
        let mut paid = self.stats.propagations;
        loop {
            let conflict = self.propagate();
            let work = self.stats.propagations - paid;
            paid = self.stats.propagations;
            budget.spend(work + 1)?;
            if let Some(conflict) = conflict {
                self.resolve(conflict);
                conflicts = conflicts.saturating_add(1);
                if !self.ok {
                    return Ok(Outcome::Unsat);
                }
                patience = patience.saturating_sub(1);
                if budget.watches_memory() {
                    budget.set_memory(others + self.memory_bytes());
                }
            } else if (self.level() as usize) < assumptions.len() {
                let next = assumptions[self.level() as usize];
                if self.is_false(next) {
                    self.core = self.failed_core(next);
                    return Ok(Outcome::Unsat);
                }
                self.decide(next);
            } else if patience == 0 {
                restarts += 1;
                self.stats.restarts += 1;
                patience = luby(restarts) * u64::from(self.config.restart);
                self.backtrack_to(assumptions.len() as u32);
            } else if let Some(lit) = decide.decide(self).or_else(|| self.next(conflicts)) {
                self.decide(lit);
            } else {
                self.keep_model();
                return Ok(Outcome::Sat);
            }
        }
    }

    /// What to decide in a query that has seen so many conflicts; none if the trail is enough.
    fn next(&mut self, conflicts: u32) -> Option<Lit> {
        if conflicts >= PATIENCE || self.demand.is_none() {
            return self.pick();
        }
        let (phase, order) = (&self.phase, &self.order);
        let demand = self.demand.as_mut()?;
        let choices = demand.needy(&Trail { values: &self.values, trail: &self.trail })?;
        let open = choices.iter().copied().filter(|lit| self.values[lit.index()] == 0);
        let mut best: Option<(bool, f64, Lit)> = None;
        for lit in open {
            let rank = (phase[lit.var().index()] == lit.is_positive(), order.activity(lit.var()));
            if best.is_none_or(|(familiar, active, _)| (familiar, active) < rank) {
                best = Some((rank.0, rank.1, lit));
            }
        }
        let (_, _, lit) = best.expect("a clause that is not true has an open literal");
        Some(lit)
    }

    /// Takes the model over from the trail. On demand the trail is short and most variables are read at their
    /// defaults, so only what differs from those is written, and what the last model wrote is taken back.
    fn keep_model(&mut self) {
        self.has_model = true;
        let Some(demand) = &self.demand else {
            self.model.clear();
            self.model.extend_from_slice(&self.values);
            return;
        };
        let by_default = |var: Var| if demand.default(var) { [-1, 1] } else { [1, -1] };
        for var in self.written.drain(..) {
            let pair = by_default(var);
            self.model[var.negative().index()] = pair[0];
            self.model[var.positive().index()] = pair[1];
        }
        for at in self.model.len() / 2..self.origin.len() {
            let var = Var(at as u32);
            self.model.extend([0, 0]);
            let pair = by_default(var);
            self.model[var.negative().index()] = pair[0];
            self.model[var.positive().index()] = pair[1];
        }
        for &lit in &self.trail {
            self.model[lit.index()] = 1;
            self.model[(!lit).index()] = -1;
            self.written.push(lit.var());
        }
    }

    /// The literal's value in the last model; none if the last query found none.
    pub fn model_value(&self, lit: Lit) -> Option<bool> {
        self.model.get(lit.index()).filter(|_| self.has_model).map(|&value| value > 0)
    }

    /// After an unsat answer: assumptions that cannot be true together; empty if the clauses alone have no
    /// model.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luby_starts_as_in_the_book() {
        let start: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
