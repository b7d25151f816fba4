//! The invariants of the search as assertions, for tests.

use super::{Cdcl, ClauseRef};

impl Cdcl {
    /// Asserts the invariants listed in the head of this module. Walks over everything.
    pub fn check_invariants(&self) {
        self.check_trail();
        self.check_watches();
        self.check_complete();
        self.order.check_invariants();
        assert!(self.scratch.is_clear(), "no marks are left");
        if let Some(demand) = &self.demand {
            demand.check_invariants(&super::demand::Trail { values: &self.values, trail: &self.trail });
        }
        for var in (0..self.num_vars() as u32).map(crate::sat::lit::Var) {
            let open = self.value(var.positive()).is_none();
            assert_eq!(self.value(var.negative()).is_none(), open, "both literals are open or neither");
            assert!(!open || self.order.contains(var), "open variables can be picked");
        }
    }

    fn check_trail(&self) {
        assert!(self.head <= self.trail.len(), "the head is on the trail");
        let assigned = self.values.iter().filter(|&&value| value > 0).count();
        assert_eq!(assigned, self.trail.len(), "the trail has every true literal once");
        let mut place = vec![usize::MAX; self.num_vars()];
        let mut level = 0;
        for (at, &lit) in self.trail.iter().enumerate() {
            while self.levels.get(level).is_some_and(|l| l.start as usize <= at) {
                level += 1;
            }
            assert!(self.is_true(lit), "trail literals are true");
            assert_eq!(self.level_of(lit.var()) as usize, level, "levels follow the trail");
            place[lit.var().index()] = at;
            match self.reason(lit.var()) {
                Some(reason) => self.check_reason(reason, at, &place),
                None if level > 0 => {
                    assert_eq!(self.levels[level - 1].decision, lit, "no reason, no decision")
                }
                None => {}
            }
        }
        for level in &self.levels {
            assert!(self.is_true(level.decision), "decisions are true");
        }
    }

    fn check_reason(&self, reason: ClauseRef, at: usize, place: &[usize]) {
        assert!(!self.arena.is_dead(reason), "reasons are kept");
        let lit = self.trail[at];
        assert!(self.arena.lits(reason).take(2).any(|l| l == lit), "the implied literal is watched");
        for other in self.arena.lits(reason).filter(|&l| l != lit) {
            assert!(self.is_false(other) && place[other.var().index()] < at, "reasons come before");
        }
    }

    fn check_watches(&self) {
        let mut entries = 0;
        for (code, list) in self.watches.iter().enumerate() {
            entries += list.len();
            for watch in list {
                let clause = watch.clause();
                let mut watched = self.arena.lits(clause).take(2);
                assert!(!self.arena.is_dead(clause), "no watch on dead clauses");
                assert!(watched.any(|lit| lit.index() == code), "lists agree with clauses");
                assert!(self.arena.lits(clause).any(|lit| lit == watch.blocker()), "blockers are members");
                assert_eq!(watch.is_binary(), self.arena.size(clause) == 2, "binary watches are marked");
            }
        }
        assert_eq!(entries, 2 * self.clauses, "two watches for each clause");
        assert_eq!(self.arena.clauses().count(), self.clauses, "live clauses are counted");
        let learnts = self.arena.clauses().filter(|&c| self.arena.is_learnt(c)).count();
        assert_eq!(learnts, self.learnts, "learnt clauses are counted");
        // Who watches a literal is settled once the literal is behind the head.
        for gone in self.trail[..self.head].iter().filter(|_| self.ok).map(|&lit| !lit) {
            for watch in &self.watches[gone.index()] {
                // Not always the blocker of the entry: compaction chooses new blockers.
                let mut partners = self.arena.lits(watch.clause());
                let limit = self.level_of(gone.var());
                let in_time = partners.any(|lit| self.is_true(lit) && self.level_of(lit.var()) <= limit);
                assert!(in_time, "a false watch has a true partner in time");
            }
        }
    }

    /// When all is propagated, no clause is false and none has one open literal left.
    fn check_complete(&self) {
        if self.ok && self.is_propagated() {
            for clause in self.arena.clauses() {
                let open = self.arena.lits(clause).filter(|&lit| !self.is_false(lit)).count();
                let satisfied = self.arena.lits(clause).any(|lit| self.is_true(lit));
                assert!(satisfied || open >= 2, "propagation is complete");
            }
        }
    }
}
