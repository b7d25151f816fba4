//! Definitions: clauses that say what follows from a literal, their *head*, and rest while it is not true.
//!
//! A formula that is assumed in one query keeps its definition for the next time. As an ordinary clause the
//! definition would be visited in every query, and make the head false wherever that follows, for nothing.
//! So only the head is watched: when it becomes true the definition *wakes*. With one open literal left, or
//! none, it speaks at once; otherwise two open literals are watched until the head is open again.
//!
//! Invariants: the negated head is the last literal of the clause. While the head is true some literal is
//! true for as long, or the first two are watched as in any clause. While it is not, entries of the first
//! two may be left over; the arena notes which. An entry that is met with the head open is dropped, so waking
//! costs two entries and backtracking nothing.
//!
//! The price is that a head does not become false by itself. It is paid where the head is decided: the
//! conflict puts it right at the level where the definition would have spoken ([`Cdcl::contradict_head`]).

use super::propagate::{Kind, Watch};
use super::{Cdcl, ClauseRef};
use crate::sat::lit::Lit;

/// What a definition does when its head becomes true.
pub(super) enum Waking {
    /// This literal is true for as long as the head.
    Satisfied(Lit),
    /// It follows or watches.
    Quiet,
    /// It is false.
    Conflict,
}

impl Cdcl {
    /// Stores a definition of two or more literals with the negated head last; the head must not be true.
    pub(super) fn add_sleeping(&mut self, lits: &[Lit]) {
        debug_assert!(lits.last().is_some_and(|&lit| !self.is_false(lit)), "definitions are added asleep");
        let clause = self.arena.alloc(lits, false, 0);
        self.arena.mark_definition(clause);
        self.clauses += 1;
        self.attach(clause);
    }

    /// Puts a definition into the list of its negated head, and its first literals where they were.
    pub(super) fn attach_definition(&mut self, clause: ClauseRef) {
        let size = self.arena.size(clause);
        let (first, gate) = (self.arena.lit(clause, 0), self.arena.lit(clause, size - 1));
        let kind = if size == 2 { Kind::Binary } else { Kind::Head };
        self.watches[gate.index()].push(Watch::new(clause, first, kind));
        for place in (0..2).filter(|&place| self.arena.is_attached(clause, place)) {
            let lit = self.arena.lit(clause, place);
            self.watches[lit.index()].push(Watch::new(clause, gate, Kind::Awake));
        }
    }

    /// Called when the head has become true.
    pub(super) fn wake(&mut self, clause: ClauseRef) -> Waking {
        let codes = self.arena.codes(clause);
        let mut n_open = 0;
        let mut open = 0;
        for &code in &codes[..codes.len() - 1] {
            match self.values[code as usize] {
                1.. => return Waking::Satisfied(Lit::from_code(code)),
                0 => (n_open, open) = (n_open + 1, code),
                _ => {}
            }
        }
        match n_open {
            0 => return Waking::Conflict,
            1 => self.assign(Lit::from_code(open), clause),
            _ => self.watch_open(clause),
        }
        Waking::Quiet
    }

    /// Watches two open literals of a definition, which has them.
    fn watch_open(&mut self, clause: ClauseRef) {
        let gate = self.arena.lit(clause, self.arena.size(clause) - 1);
        for place in 0..2 {
            let old = self.arena.lit(clause, place);
            if self.values[old.index()] != 0 {
                let codes = self.arena.codes_mut(clause);
                let open = (2..codes.len() - 1).find(|&at| self.values[codes[at] as usize] == 0);
                codes.swap(place, open.expect("two literals are open"));
                if self.arena.is_attached(clause, place) {
                    self.watches[old.index()].retain(|watch| watch.clause() != clause);
                    self.arena.set_attached(clause, place, false);
                }
            }
            if !self.arena.is_attached(clause, place) {
                self.arena.set_attached(clause, place, true);
                let lit = self.arena.lit(clause, place);
                self.watches[lit.index()].push(Watch::new(clause, gate, Kind::Awake));
            }
        }
    }

    /// If a conflict is a definition whose head alone is at the top level, makes the head false at the level
    /// where that follows; nothing is learnt. Returns whether it was one.
    pub(super) fn contradict_head(&mut self, conflict: ClauseRef, top: u32) -> bool {
        if !self.arena.is_definition(conflict) {
            return false;
        }
        let gate = self.arena.lit(conflict, self.arena.size(conflict) - 1);
        let others = self.arena.lits(conflict).filter(|&lit| lit != gate);
        let below = others.map(|lit| self.level_of(lit.var())).max().unwrap_or(0);
        if below == top {
            return false;
        }
        self.backtrack_to(below);
        self.assign(gate, conflict);
        true
    }
}
