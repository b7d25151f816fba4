//! Rational feasibility: the check loop of the general simplex.
//!
//! The basic variable to repair is always the one of smallest index. The variable that takes its place is
//! the one with the shortest column, and after a number of pivots in one check the one of smallest index:
//! Bland's rule, which terminates.

use std::cmp::Reverse;

use super::tableau::Entry;
use super::{Arith, Conflict};
use crate::util::limits::{Budget, Stop};
use crate::util::num::Rat;

/// Up to how many rows the invariant is checked after a check that pivoted, in builds that check it.
const CHECKED_ROWS: usize = 32;

impl Arith {
    /// Decides whether the bounds have a rational solution; if they have, the values are one.
    ///
    /// After a stop or a conflict the solver remains usable: pop a level, or call again with a new budget.
    pub fn check(&mut self, budget: &mut Budget) -> Result<Result<(), Conflict>, Stop> {
        budget.spend(1)?;
        let before = self.pivots;
        let others = budget.memory_used().saturating_sub(self.tableau.entry_bytes());
        let patience = self.bland_after.saturating_add(self.tableau.row_count() as u64);
        while let Some((var, below)) = self.next_violated() {
            let row = self.tableau.home(var).expect("a violated variable is basic");
            let spent = budget.spend(self.tableau.row(row).len() as u64);
            let bland = self.pivots - before >= patience;
            let entering = match spent {
                Ok(()) => self.entering(row, below, bland),
                Err(stop) => {
                    self.enqueue(var);
                    return Err(stop);
                }
            };
            let Some(entering) = entering else {
                self.enqueue(var);
                return Ok(Err(self.row_conflict(row, below)));
            };
            let work = self.tableau.column(entering).len() * self.tableau.row(row).len();
            if let Err(stop) = budget.spend(work as u64) {
                self.enqueue(var);
                return Err(stop);
            }
            self.repair(var, row, entering, below);
            if budget.watches_memory() {
                budget.set_memory(others + self.tableau.entry_bytes());
            }
        }
        debug_assert!(
            before == self.pivots || self.tableau.row_count() > CHECKED_ROWS || self.check_tableau(),
            "check_tableau"
        );
        Ok(Ok(()))
    }

    /// Takes the smallest violated basic variable out of the queue, and whether it is below its lower bound.
    fn next_violated(&mut self) -> Option<(u32, bool)> {
        while let Some(Reverse(var)) = self.queue.pop() {
            let v = &mut self.vars[var as usize];
            v.queued = false;
            if self.tableau.home(var).is_some() {
                if v.below_lower() {
                    return Some((var, true));
                }
                if v.above_upper() {
                    return Some((var, false));
                }
            }
        }
        None
    }

    /// Whether moving `entry` towards the repair means increasing it: `increase` says so of the basic one.
    fn goes_up(&self, row: u32, entry: &Entry, increase: bool) -> bool {
        // The row says a_b x_b + a_j x_j + ... = 0: equal signs move against each other.
        (entry.coeff.is_negative() == self.tableau.basic_coeff(row).is_negative()) != increase
    }

    /// The variable to exchange with the basic one of `row`, or `None` if all block.
    fn entering(&self, row: u32, increase: bool, bland: bool) -> Option<u32> {
        let basic = self.tableau.basic(row);
        let free = self.tableau.row(row).iter().filter(|entry| {
            let v = &self.vars[entry.var as usize];
            entry.var != basic
                && !(if self.goes_up(row, entry, increase) { v.at_upper() } else { v.at_lower() })
        });
        let cost = |var: u32| if bland { 0 } else { self.tableau.column(var).len() };
        free.map(|entry| entry.var).min_by_key(|&var| (cost(var), var))
    }

    /// The Farkas certificate of a row in which every variable blocks: the row itself.
    fn row_conflict(&self, row: u32, below: bool) -> Conflict {
        let basic = self.tableau.basic(row);
        let sum = self.tableau.row(row).iter().map(|entry| {
            let upper = if entry.var == basic { !below } else { self.goes_up(row, entry, below) };
            (entry.coeff.abs(), self.premise(entry.var, upper))
        });
        Conflict::of_bounds(sum.collect())
    }

    /// Moves the violated basic variable `var` to its bound and exchanges it with `entering`.
    fn repair(&mut self, var: u32, row: u32, entering: u32, below: bool) {
        let v = &self.vars[var as usize];
        let bound = if below { &v.lower } else { &v.upper };
        let target = Rat::from(&bound.as_ref().expect("a violated bound exists").value);
        let o = self.tableau.column(entering).iter().find(|o| o.row == row);
        let coeff = self.tableau.coeff(*o.expect("the entering variable is in the row"));
        let ratio = Rat::new(self.tableau.basic_coeff(row), coeff);
        let delta = &target - &v.value;
        let moved = self.value_of(entering) - ratio * delta;
        self.move_to(entering, moved);
        debug_assert!(self.vars[var as usize].value == target, "the row places the basic variable");
        self.tableau.pivot(row, entering);
        self.pivots += 1;
        let v = &self.vars[entering as usize];
        if v.below_lower() || v.above_upper() {
            self.enqueue(entering);
        }
    }

    fn value_of(&self, var: u32) -> &Rat {
        &self.vars[var as usize].value
    }

    /// Gives a variable that is not basic a value; the basic ones follow, and are queued where they leave
    /// their bounds.
    pub(super) fn move_to(&mut self, var: u32, value: Rat) {
        let delta = &value - self.value_of(var);
        self.vars[var as usize].value = value;
        for i in 0..self.tableau.column(var).len() {
            let o = self.tableau.column(var)[i];
            let ratio = Rat::new(self.tableau.coeff(o), self.tableau.basic_coeff(o.row));
            let basic = self.tableau.basic(o.row);
            let v = &mut self.vars[basic as usize];
            v.value -= ratio * &delta;
            if v.below_lower() || v.above_upper() {
                self.enqueue(basic);
            }
        }
    }

    /// The invariants of the module head.
    pub fn check_tableau(&self) -> bool {
        let row_holds = |row: u32| {
            let sum = |s: Rat, e: &Entry| s + Rat::from(&e.coeff) * self.value_of(e.var);
            self.tableau.row(row).iter().fold(Rat::ZERO, sum).is_zero()
        };
        let place_holds = |var: usize| {
            let v = &self.vars[var];
            let outside = v.below_lower() || v.above_upper();
            if self.tableau.home(var as u32).is_some() {
                !outside || v.queued
            } else {
                !outside && v.value.is_integer()
            }
        };
        self.tableau.check_links()
            && (0..self.tableau.row_count() as u32).all(row_holds)
            && (0..self.vars.len()).all(place_holds)
    }
}
