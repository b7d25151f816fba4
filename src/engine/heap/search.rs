//! The search for a structure: only what matters to this query is decided.
//!
//! Witness constants pile up in a long-lived context, and most of them matter to no literal of the present
//! query. A witness pair is *idle* while nothing says that its violation exists; it is then taken to be null,
//! which satisfies its definition, and no literal about it is decided. What is decided: clauses of the caller
//! that are not true yet, then the basic literals between constants that are not idle and the inputs of the
//! caller's gates, always to false (a universal predicate that is not claimed holds for free). Literals of derived matrices, gates and guards follow from those by propagation.
//!
//! Why that is enough: when the structure on the constants that are not idle passes `refine`, it is a heap.
//! Reading idle witnesses as null there makes all clauses of the context true, because they are truths about
//! heaps or definitions; so the partial assignment extends to all variables without being extended.
//! Measured when this was introduced, on benches/heap.rs: two to ten times faster than deciding everything.

use super::HeapCtx;
use super::pred::Const;
use crate::sat::{Lit, Outcome};
use crate::util::limits::{Budget, Stop};

/// After so many conflicts in one query the activities of the Boolean search take over.
const CONFLICTS: u32 = 64;

/// Where the scan for the next decision stands.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    lemma: usize,
    stage: usize,
    at: usize,
    /// Whether this pass decided something, so that another pass has to look for what woke up.
    decided: bool,
}

impl HeapCtx {
    /// Whether a constant is a witness of a violation that need not exist.
    #[inline]
    pub(super) fn is_idle(&self, c: Const) -> bool {
        self.absent[c.index()].is_some_and(|null| self.gates.sat.value(null) != Some(false))
    }

    /// Proposes and refines until there is a structure or a core.
    pub(super) fn search(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<bool, Stop> {
        budget.poll()?;
        let sat = &mut self.gates.sat;
        let levels = (1..=sat.level()).map(|level| sat.decision_of(level));
        let shared = levels.zip(assumptions).take_while(|(decision, lit)| decision == *lit).count();
        sat.backtrack_to(shared as u32);
        loop {
            self.stats.sat_calls += 1;
            if !self.propose(assumptions, budget)? {
                return Ok(false);
            }
            if self.refine() {
                return Ok(true);
            }
            self.stats.rounds += 1;
            budget.spend(self.names.len() as u64)?;
        }
    }

    /// Finds an assignment for `refine`; false if there is none, with the core in the Boolean search.
    fn propose(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<bool, Stop> {
        let mut cursor = Cursor::default();
        let mut conflicts = 0;
        loop {
            budget.spend(1)?;
            let sat = &mut self.gates.sat;
            // Clauses that contradict each other exclude everything; nothing can be decided then.
            if !sat.ok() {
                return Ok(sat.solve(assumptions, budget)? == Outcome::Sat);
            }
            if let Some(conflict) = sat.propagate() {
                sat.resolve(conflict);
                conflicts += 1;
                cursor = Cursor::default();
                if conflicts == CONFLICTS || !sat.ok() {
                    return Ok(sat.solve(assumptions, budget)? == Outcome::Sat);
                }
            } else if let Some(&next) = assumptions.get(sat.level() as usize) {
                if sat.value(next) == Some(false) {
                    // The levels are kept, so this only collects the core.
                    let outcome = sat.solve(assumptions, budget)?;
                    assert_eq!(outcome, Outcome::Unsat, "a false assumption stays false");
                    return Ok(false);
                }
                sat.decide(next);
            } else if let Some(lit) = self.next_decision(&mut cursor) {
                self.gates.sat.decide(lit);
            } else {
                return Ok(true);
            }
        }
    }

    fn next_decision(&self, cursor: &mut Cursor) -> Option<Lit> {
        let sat = &self.gates.sat;
        while let Some(lemma) = self.lemmas.get(cursor.lemma) {
            if !lemma.iter().any(|&lit| sat.value(lit) == Some(true)) {
                return lemma.iter().copied().find(|&lit| sat.value(lit).is_none());
            }
            cursor.lemma += 1;
        }
        loop {
            let found = self.next_basic(cursor);
            if found.is_some() {
                cursor.decided = true;
                return found;
            }
            if !std::mem::take(&mut cursor.decided) {
                return None;
            }
            (cursor.stage, cursor.at) = (0, 0);
        }
    }

    /// The next open basic literal: fields, data order, sets, then the free inputs of gates.
    fn next_basic(&self, cursor: &mut Cursor) -> Option<Lit> {
        let sat = &self.gates.sat;
        let fields = self.config.fields;
        loop {
            let made = match cursor.stage {
                stage if stage < fields => &self.matrices[stage].1.made,
                stage if stage == fields => &self.order.made,
                _ => break,
            };
            while let Some(&(a, b, lit)) = made.get(cursor.at) {
                cursor.at += 1;
                if sat.value(lit).is_none() && !self.is_idle(a) && !self.is_idle(b) {
                    return Some(!lit);
                }
            }
            (cursor.stage, cursor.at) = (cursor.stage + 1, 0);
        }
        while let Some((_, line)) = self.sets[..=self.config.colours].get(cursor.stage - fields - 1) {
            while let Some(&(a, lit)) = line.made.get(cursor.at) {
                cursor.at += 1;
                if sat.value(lit).is_none() && !self.is_idle(a) {
                    return Some(!lit);
                }
            }
            (cursor.stage, cursor.at) = (cursor.stage + 1, 0);
        }
        self.inputs.iter().copied().find(|&lit| sat.value(lit).is_none()).map(|lit| !lit)
    }

    /// Adds a clause for good. Its literals may be those of universal predicates.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.gates.clause(lits);
        if lits.len() == 1 {
            // A unit may retire an activation literal, and with it many clauses.
            let sat = &self.gates.sat;
            self.lemmas.retain(|lemma| lemma.iter().all(|&lit| sat.level0(lit) != Some(true)));
        }
        let mut lemma = lits.to_vec();
        // What the scan tries first: literals without an atom (activations), then cheap atoms.
        lemma.sort_by_key(|lit| self.meaning.get(lit).map_or(0, |(atom, _)| 1 + atom.cost()));
        self.lemmas.push(lemma);
    }
}
