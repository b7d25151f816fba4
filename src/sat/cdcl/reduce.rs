//! Forgetting learnt clauses and sweeping out clauses that are true for ever.
//!
//! Clauses of the caller go only when a literal of theirs is true at level 0, where they can never matter
//! again; so retired temporary clauses cost nothing. Learnt clauses go by glue (Audemard and Simon, IJCAI
//! 2009), unless they are reasons, have glue 2 or less, or took part in a conflict since the last round.

use super::demand::Trail;
use super::{Cdcl, ClauseRef, Config};
use crate::sat::lit::Lit;

/// When to forget and when to sweep.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Learnt clauses at which the next round of forgetting is due.
    limit: usize,
    step: usize,
    /// Watch entries visited: the measure of work that pays for sweeps.
    pub(super) ticks: u64,
    ticks_at_sweep: u64,
    fixed_at_sweep: usize,
}

impl Schedule {
    pub(super) fn new(config: &Config) -> Schedule {
        Schedule {
            limit: config.first_reduce as usize,
            step: config.more_reduce as usize,
            ticks: 0,
            ticks_at_sweep: 0,
            fixed_at_sweep: 0,
        }
    }
}

impl Cdcl {
    /// Forgets and sweeps if due. Moves clauses: no reference from before may be in use.
    pub(super) fn maintain(&mut self) {
        let fixed = self.trail_len_at_level(0);
        // A sweep copies the arena and refills all lists; propagation pays for it.
        let cost = (self.arena.len() + self.watches.len()) as u64;
        let paid =
            self.forget.ticks - self.forget.ticks_at_sweep >= u64::from(self.config.sweep_price) * cost;
        // Watched literals false at level 0 may be dropped only once they have been propagated.
        if fixed > self.forget.fixed_at_sweep && paid && self.head >= fixed {
            self.sweep(fixed);
        }
        if self.learnts >= self.forget.limit {
            self.forget.limit += self.forget.step;
            self.reduce();
        }
    }

    fn sweep(&mut self, fixed: usize) {
        let mut at = self.arena.next(None);
        while let Some(clause) = at {
            if self.arena.lits(clause).any(|lit| self.level0(lit) == Some(true)) {
                self.kill(clause);
            }
            at = self.arena.next(Some(clause));
        }
        self.compact(true);
        if let Some(demand) = &mut self.demand {
            let (values, origin) = (&self.values, &self.origin);
            let settled = |lit: Lit| values[lit.index()] > 0 && origin[lit.var().index()].level == 0;
            demand.sweep(settled, &Trail { values, trail: &self.trail });
        }
        self.stats.sweeps += 1;
        self.forget.fixed_at_sweep = fixed;
        self.forget.ticks_at_sweep = self.forget.ticks;
    }

    fn reduce(&mut self) {
        let mut doomed = Vec::new();
        let mut at = self.arena.next(None);
        while let Some(clause) = at {
            if self.arena.is_learnt(clause) {
                let used = self.arena.take_used(clause);
                if !used && self.arena.lbd(clause) > 2 && !self.is_reason(clause) {
                    doomed.push((self.arena.lbd(clause), self.arena.size(clause), clause.0));
                }
            }
            at = self.arena.next(Some(clause));
        }
        // Worst glue first, then longest, then youngest: a total order.
        doomed.sort_unstable_by(|a, b| b.cmp(a));
        doomed.truncate(doomed.len().div_ceil(2));
        self.stats.forgotten += doomed.len() as u64;
        for (_, _, clause) in doomed {
            self.kill(ClauseRef(clause));
        }
        self.compact(false);
    }

    fn kill(&mut self, clause: ClauseRef) {
        self.clauses -= 1;
        self.learnts -= usize::from(self.arena.is_learnt(clause));
        self.arena.kill(clause);
    }

    /// Whether a literal above level 0 rests on this clause; it is one of the watched ones.
    fn is_reason(&self, clause: ClauseRef) -> bool {
        self.arena.lits(clause).take(2).any(|lit| self.is_true(lit) && self.reason(lit.var()) == Some(clause))
    }

    /// Closes the gaps of dead clauses; with `strip`, drops literals false at level 0 as well.
    fn compact(&mut self, strip: bool) {
        let (values, origin) = (&self.values, &self.origin);
        let moved = self
            .arena
            .compact(|lit| !strip || values[lit.index()] >= 0 || origin[lit.var().index()].level > 0);
        let fixed = self.trail_len_at_level(0);
        for (at, lit) in self.trail.iter().enumerate() {
            let reason = &mut self.origin[lit.var().index()].reason;
            if at < fixed {
                *reason = ClauseRef::NONE;
            } else if *reason != ClauseRef::NONE {
                *reason = moved.get(*reason);
            }
        }
        for list in &mut self.watches {
            list.clear();
        }
        let mut at = self.arena.next(None);
        while let Some(clause) = at {
            self.attach(clause);
            at = self.arena.next(Some(clause));
        }
    }
}
