//! The invariants of the search as assertions, for tests.

use super::propagate::Kind;
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
        let watched = self.arena.is_definition(reason) || self.arena.lits(reason).take(2).any(|l| l == lit);
        assert!(watched, "the implied literal is watched");
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
                assert!(!self.arena.is_dead(clause), "no watch on dead clauses");
                assert!(self.arena.lits(clause).any(|lit| lit == watch.blocker()), "blockers are members");
                assert_eq!(watch.is(Kind::Binary), self.arena.size(clause) == 2, "binary watches are marked");
                let definition = self.arena.is_definition(clause);
                let resting = watch.is(Kind::Head) || watch.is(Kind::Awake);
                assert_eq!(definition && !watch.is(Kind::Binary), resting, "definitions are marked");
                let at_head = definition && !watch.is(Kind::Awake);
                let place = self.arena.lits(clause).position(|lit| lit.index() == code);
                match place {
                    Some(place) if at_head => assert_eq!(place, self.arena.size(clause) - 1),
                    Some(place @ 0..2) => {
                        assert!(!definition || self.arena.is_attached(clause, place), "entries are noted");
                    }
                    _ => panic!("lists agree with clauses"),
                }
            }
        }
        let expected: usize = self.arena.clauses().map(|clause| self.n_entries(clause)).sum();
        assert_eq!(entries, expected, "two watches for each clause");
        assert_eq!(self.arena.clauses().count(), self.clauses, "live clauses are counted");
        let learnts = self.arena.clauses().filter(|&c| self.arena.is_learnt(c)).count();
        assert_eq!(learnts, self.learnts, "learnt clauses are counted");
        // Who watches a literal is settled once the literal is behind the head.
        for gone in self.trail[..self.head].iter().filter(|_| self.ok).map(|&lit| !lit) {
            for watch in &self.watches[gone.index()] {
                // Entries of sleeping definitions are left over; the head's own entry stays in any case.
                let awake = watch.is(Kind::Awake);
                if watch.is(Kind::Head) || awake && !self.is_false(watch.blocker()) {
                    continue;
                }
                // Not always the blocker of the entry: compaction chooses new blockers.
                let mut partners = self.arena.lits(watch.clause());
                let from = if awake { self.level_of(watch.blocker().var()) } else { 0 };
                let limit = self.level_of(gone.var()).max(from);
                let in_time = partners.any(|lit| self.is_true(lit) && self.level_of(lit.var()) <= limit);
                assert!(in_time, "a false watch has a true partner in time");
            }
        }
    }

    /// How many entries of the watch lists a clause has.
    fn n_entries(&self, clause: ClauseRef) -> usize {
        match self.arena.is_definition(clause) {
            true => 1 + (0..2).filter(|&place| self.arena.is_attached(clause, place)).count(),
            false => 2,
        }
    }

    /// When all is propagated, no clause is false and none has one open literal left.
    fn check_complete(&self) {
        if self.ok && self.is_propagated() {
            for clause in self.arena.clauses() {
                let open = self.arena.lits(clause).filter(|&lit| !self.is_false(lit)).count();
                let satisfied = self.arena.lits(clause).any(|lit| self.is_true(lit));
                let gate = self.arena.lits(clause).last().filter(|_| self.arena.is_definition(clause));
                let asleep = gate.is_some_and(|gate| !self.is_false(gate));
                assert!(satisfied || open >= 2 || asleep, "propagation is complete");
            }
        }
    }
}
