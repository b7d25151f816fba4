//! Conflict analysis: first-UIP learning with recursive minimisation, and the failed assumptions.
//!
//! The learnt clause starts as the conflict clause and is resolved with reasons, backwards along the trail,
//! until one literal of the top level is left. A literal is then dropped when its reason leads back to other
//! literals of the clause only (Sörensson and Biere, SAT 2009).

use super::{Cdcl, ClauseRef, Origin};
use crate::sat::lit::{Lit, Var};
use crate::sat::proof::ProofStep;

/// What analysis knows about a variable.
const SEEN: u8 = 1;
/// Reasons of this variable lead outside the learnt clause.
const POISON: u8 = 2;
/// Reasons of this variable lead back to the learnt clause.
const REMOVABLE: u8 = 3;

/// Buffers that live between conflicts, so that none of them allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    marks: Vec<u8>,
    /// Variables whose mark is not 0.
    marked: Vec<Var>,
    learnt: Vec<Lit>,
    stack: Vec<(Var, u32)>,
    /// For each level, the last clause in which it was counted.
    stamps: Vec<u64>,
    stamp: u64,
}

impl Scratch {
    pub(super) fn new_var(&mut self) {
        self.marks.push(0);
        // One slot per level; assumptions may open more levels than there are variables.
        self.stamps.push(0);
    }

    fn mark(&mut self, var: Var, mark: u8) {
        if self.marks[var.index()] == 0 {
            self.marked.push(var);
        }
        self.marks[var.index()] = mark;
    }

    fn clear(&mut self) {
        for var in self.marked.drain(..) {
            self.marks[var.index()] = 0;
        }
    }

    #[cfg(feature = "testing")]
    pub(super) fn is_clear(&self) -> bool {
        self.marked.is_empty() && self.marks.iter().all(|&mark| mark == 0)
    }
}

impl Cdcl {
    /// Learns from a false clause: backjumps, adds the learnt clause and asserts its one open literal; a
    /// definition that comes late only asserts. A conflict at level 0 makes the solver not ok.
    pub fn resolve(&mut self, conflict: ClauseRef) {
        let top = self.arena.lits(conflict).map(|lit| self.level_of(lit.var())).max().unwrap_or(0);
        if top == 0 {
            self.stats.conflicts += 1;
            self.backtrack_to(0);
            self.set_contradiction();
            return;
        }
        if self.contradict_head(conflict, top) {
            return;
        }
        self.stats.conflicts += 1;
        // A clause added below the top, or a conflict that the caller backtracked above.
        self.backtrack_to(top);
        self.derive_uip(conflict);
        self.minimise();
        self.scratch.clear();
        self.learn();
        self.decay();
        self.maintain();
    }

    /// Fills `scratch.learnt`: the asserting literal first, then literals of lower levels.
    fn derive_uip(&mut self, conflict: ClauseRef) {
        let top = self.level();
        self.scratch.learnt.clear();
        self.scratch.learnt.push(Lit::from_code(0));
        let (mut open, mut at, mut reason) = (0, self.trail.len(), conflict);
        loop {
            debug_assert!(reason != ClauseRef::NONE, "only the last literal of a level has no reason");
            if self.arena.is_learnt(reason) {
                self.touch(reason);
            }
            for place in 0..self.arena.size(reason) {
                let var = self.arena.lit(reason, place).var();
                let level = self.level_of(var);
                if level == 0 || self.scratch.marks[var.index()] != 0 {
                    continue;
                }
                self.scratch.mark(var, SEEN);
                self.order.bump(var);
                if level == top {
                    open += 1;
                } else {
                    let lit = self.arena.lit(reason, place);
                    self.scratch.learnt.push(lit);
                }
            }
            // The literal whose reason was read last is marked still; it sits above `at`.
            loop {
                at -= 1;
                if self.scratch.marks[self.trail[at].var().index()] != 0 {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                self.scratch.learnt[0] = !lit;
                return;
            }
            reason = self.origin[lit.var().index()].reason;
        }
    }

    /// Notes that a learnt clause was useful.
    fn touch(&mut self, clause: ClauseRef) {
        let old = self.arena.lbd(clause);
        let new = if old > 2 { self.glue(clause) } else { old };
        self.arena.mark_used(clause, new);
    }

    fn glue(&mut self, clause: ClauseRef) -> u32 {
        self.scratch.stamp += 1;
        let mut glue = 0;
        for place in 0..self.arena.size(clause) {
            let level = self.level_of(self.arena.lit(clause, place).var());
            glue += self.count_level(level);
        }
        glue
    }

    /// 1 if the level was not counted under the present stamp.
    fn count_level(&mut self, level: u32) -> u32 {
        let level = level as usize;
        if level >= self.scratch.stamps.len() {
            self.scratch.stamps.resize(level + 1, 0);
        }
        let fresh = self.scratch.stamps[level] != self.scratch.stamp;
        self.scratch.stamps[level] = self.scratch.stamp;
        u32::from(fresh)
    }

    /// Drops literals that the others imply.
    fn minimise(&mut self) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        // A literal alone on its level has no other of the clause to lead back to: mark the levels.
        self.scratch.stamp += 1;
        for lit in &learnt {
            self.count_level(self.level_of(lit.var()));
        }
        let mut kept = 1;
        for at in 1..learnt.len() {
            let lit = learnt[at];
            if !self.is_redundant(lit.var()) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.scratch.learnt = learnt;
    }

    /// Whether the variable's value follows from other variables marked as of the learnt clause.
    fn is_redundant(&mut self, var: Var) -> bool {
        if self.origin[var.index()].reason == ClauseRef::NONE {
            return false;
        }
        debug_assert!(self.scratch.stack.is_empty());
        self.scratch.stack.push((var, 0));
        while let Some(&(at, place)) = self.scratch.stack.last() {
            let reason = self.origin[at.index()].reason;
            if place as usize == self.arena.size(reason) {
                self.scratch.stack.pop();
                if self.scratch.marks[at.index()] == 0 {
                    self.scratch.mark(at, REMOVABLE);
                }
                continue;
            }
            self.scratch.stack.last_mut().expect("just seen").1 += 1;
            let next = self.arena.lit(reason, place as usize).var();
            let Origin { level, reason } = self.origin[next.index()];
            if next == at || level == 0 {
                continue;
            }
            match self.scratch.marks[next.index()] {
                SEEN | REMOVABLE => continue,
                0 if reason != ClauseRef::NONE
                    && self.scratch.stamps.get(level as usize) == Some(&self.scratch.stamp) =>
                {
                    self.scratch.stack.push((next, 0));
                }
                _ => {
                    self.poison();
                    return false;
                }
            }
        }
        true
    }

    /// Everything on the stack leads outside.
    fn poison(&mut self) {
        while let Some((var, _)) = self.scratch.stack.pop() {
            if self.scratch.marks[var.index()] == 0 {
                self.scratch.mark(var, POISON);
            }
        }
    }

    /// Adds the clause in `scratch.learnt` and asserts its first literal.
    fn learn(&mut self) {
        let mut learnt = std::mem::take(&mut self.scratch.learnt);
        self.stats.learnt += 1;
        self.log(|| ProofStep::Learnt { lits: learnt.clone() });
        let highest = (1..learnt.len()).max_by_key(|&at| self.level_of(learnt[at].var()));
        if let Some(highest) = highest {
            learnt.swap(1, highest);
            self.scratch.stamp += 1;
            let mut glue = 0;
            for lit in &learnt {
                glue += self.count_level(self.level_of(lit.var()));
            }
            self.backtrack_to(self.level_of(learnt[1].var()));
            let clause = self.arena.alloc(&learnt, true, glue);
            self.clauses += 1;
            self.learnts += 1;
            self.attach(clause);
            self.assign(learnt[0], clause);
        } else {
            self.backtrack_to(0);
            self.assign(learnt[0], ClauseRef::NONE);
        }
        self.scratch.learnt = learnt;
    }

    /// The decisions on the trail that together make `lit` false, as they were decided, and `lit` itself.
    /// When all decisions are assumptions this is a failed core. `lit` must be false now.
    pub fn failed_core(&mut self, lit: Lit) -> Vec<Lit> {
        assert!(self.is_false(lit), "a failed assumption is false");
        let mut core = vec![lit];
        let mut open = vec![lit.var()];
        self.scratch.mark(lit.var(), SEEN);
        while let Some(var) = open.pop() {
            let Origin { level, reason } = self.origin[var.index()];
            if level == 0 {
                continue;
            }
            if reason == ClauseRef::NONE {
                core.push(Lit::new(var, self.is_true(var.positive())));
                continue;
            }
            for next in self.arena.lits(reason) {
                if self.scratch.marks[next.var().index()] == 0 {
                    self.scratch.mark(next.var(), SEEN);
                    open.push(next.var());
                }
            }
        }
        self.scratch.clear();
        core
    }
}
