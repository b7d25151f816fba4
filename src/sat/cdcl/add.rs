//! Taking clauses in, also in the middle of a search.
//!
//! A new clause may be anything under the present trail. The two literals that stay open longest under
//! backtracking are watched; when all others are false the search goes back to the level where the clause
//! would have spoken first, and lets it speak there.

use super::demand::Trail;
use super::{Cdcl, ClauseRef};
use crate::sat::lit::Lit;
use crate::sat::proof::ProofStep;

impl Cdcl {
    /// Adds a clause for good, at any level; the search may jump back. `tag` is the caller's mark in the
    /// proof log. Returns [`Cdcl::ok`]. The caller propagates next.
    pub fn add_clause(&mut self, lits: &[Lit], tag: u32) -> bool {
        self.log(|| ProofStep::Input { tag, lits: lits.to_vec() });
        if !self.ok {
            return false;
        }
        let mut clause = std::mem::take(&mut self.incoming);
        clause.clear();
        clause.extend_from_slice(lits);
        self.add_normalised(&mut clause, None);
        self.incoming = clause;
        self.ok
    }

    /// As [`Cdcl::add_clause`] for the clause that one of `rest` holds if `head` does; it costs nothing while
    /// the head is not true, but does not make the head false in time either.
    pub fn add_definition(&mut self, head: Lit, rest: &[Lit], tag: u32) -> bool {
        let mut clause = std::mem::take(&mut self.incoming);
        clause.clear();
        clause.extend_from_slice(rest);
        clause.push(!head);
        self.log(|| ProofStep::Input { tag, lits: clause.clone() });
        if self.ok {
            self.add_normalised(&mut clause, Some(head));
        }
        self.incoming = clause;
        self.ok
    }

    fn add_normalised(&mut self, clause: &mut Vec<Lit>, head: Option<Lit>) {
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || clause.iter().any(|&lit| self.level0(lit) == Some(true)) {
            return;
        }
        clause.retain(|&lit| self.level0(lit) != Some(false));
        match clause[..] {
            [] => {
                self.backtrack_to(0);
                self.set_contradiction();
            }
            [unit] => {
                self.backtrack_to(0);
                self.assign(unit, ClauseRef::NONE);
            }
            _ => {
                let gate = head.and_then(|head| clause.iter().position(|&lit| lit == !head));
                match gate {
                    Some(at) => {
                        let last = clause.len() - 1;
                        clause.swap(at, last);
                        if self.is_false(clause[last]) {
                            self.backtrack_to(self.level_of(clause[last].var()) - 1);
                        }
                        self.add_sleeping(clause);
                    }
                    None => self.add_long(clause),
                }
                if let Some(demand) = &mut self.demand {
                    let now = Trail { values: &self.values, trail: &self.trail };
                    demand.add(clause, gate.is_some(), &now);
                }
            }
        }
    }

    /// Adds a clause of two or more different variables, none of them fixed at level 0.
    fn add_long(&mut self, lits: &mut [Lit]) {
        for place in 0..2 {
            let best = (place..lits.len()).min_by_key(|&at| self.watch_rank(lits[at]));
            lits.swap(place, best.expect("two or more literals"));
        }
        let clause = self.arena.alloc(lits, false, 0);
        self.clauses += 1;
        self.attach(clause);
        if !self.is_false(lits[1]) {
            return;
        }
        let (first, second) = (self.level_of(lits[0].var()), self.level_of(lits[1].var()));
        if self.is_false(lits[0]) && first == second {
            self.backtrack_to(first);
            self.resolve(clause);
        } else if !self.is_true(lits[0]) || first > second {
            self.backtrack_to(second);
            self.assign(lits[0], clause);
        }
    }

    /// Smaller is better to watch: true (lowest level first), then open, then false (highest level first).
    fn watch_rank(&self, lit: Lit) -> (u8, u32) {
        let level = self.level_of(lit.var());
        match self.value(lit) {
            Some(true) => (0, level),
            None => (1, 0),
            Some(false) => (2, u32::MAX - level),
        }
    }
}
