//! Turning a fractional solution into an integral one by moving variables that are not basic.
//!
//! In a row `d x + a y + ... = 0` with `x` basic and fractional, some shift of `y` makes `x` integral unless
//! the gcd of `a` and `d` forbids it. A shift is taken if every bound still holds and no integral variable
//! becomes fractional, so each one leaves fewer fractions. Where bounds are loose this finds a solution at
//! once; branching would walk along `3x - 3y - w >= 8` for ever, always splitting on the other unknown.

use super::Arith;
use super::tableau::Entry;
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};

/// How many periods a shift may be away from the least one, on either side.
const MAX_PERIODS: i64 = 3;

impl Arith {
    /// Tries to make the basic variables of `rows`, all the fractional ones, integral. True on success; the
    /// values are as before otherwise.
    pub(super) fn patch(&mut self, rows: &[u32], budget: &mut Budget) -> Result<bool, Stop> {
        let mut before: Vec<(u32, Rat)> = Vec::new();
        let mut result = Ok(true);
        for &row in rows {
            if self.vars[self.tableau.basic(row) as usize].value.is_integer() {
                continue;
            }
            match self.patching_move(row, budget) {
                Ok(Some((var, value))) => {
                    before.push((var, self.vars[var as usize].value.clone()));
                    self.move_to(var, value);
                }
                failed => {
                    result = failed.map(|_| false);
                    break;
                }
            }
        }
        if result != Ok(true) {
            // Cuts need variables at their bounds.
            before.into_iter().rev().for_each(|(var, value)| self.move_to(var, value));
        }
        debug_assert!(self.queue.is_empty(), "patching keeps all bounds");
        result
    }

    /// A variable of the row and a value for it that makes the basic variable integral and harms nothing.
    fn patching_move(&self, row: u32, budget: &mut Budget) -> Result<Option<(u32, Rat)>, Stop> {
        let basic = self.tableau.basic(row);
        let d = self.tableau.basic_coeff(row);
        let scaled = Rat::from(d) * &self.vars[basic as usize].value;
        let missing = scaled.to_int().expect("variables that are not basic are integral");
        let d = d.abs();
        for entry in self.tableau.row(row).iter().filter(|e| e.var != basic) {
            budget.spend(1)?;
            if self.vars[entry.var as usize].fixed().is_some() {
                continue;
            }
            let Some((least, period)) = least_shift(entry, &missing, &d) else { continue };
            for k in (0..=MAX_PERIODS).flat_map(|k| [k, -1 - k]) {
                budget.spend(self.tableau.column(entry.var).len() as u64)?;
                let shift = &least + &period * Int::from(k);
                if self.is_harmless(entry.var, &shift) {
                    return Ok(Some((
                        entry.var,
                        self.vars[entry.var as usize].value.clone() + Rat::from(&shift),
                    )));
                }
            }
        }
        Ok(None)
    }

    /// Whether a shift keeps all bounds, and integral what is.
    fn is_harmless(&self, var: u32, shift: &Int) -> bool {
        let v = &self.vars[var as usize];
        let shift = Rat::from(shift);
        v.admits(&(&v.value + &shift))
            && self.tableau.column(var).iter().all(|&o| {
                let b = &self.vars[self.tableau.basic(o.row) as usize];
                let ratio = Rat::new(self.tableau.coeff(o), self.tableau.basic_coeff(o.row));
                let value = &b.value - ratio * &shift;
                (value.is_integer() || !b.value.is_integer()) && b.admits(&value)
            })
    }
}

/// The least positive `s` with `coeff * s = missing` modulo `d`, and the period of all such `s`.
fn least_shift(entry: &Entry, missing: &Int, d: &Int) -> Option<(Int, Int)> {
    let gcd = entry.coeff.gcd(d);
    if !gcd.divides(missing) {
        return None;
    }
    let period = d.div_floor(&gcd);
    let inverse = inverse(&entry.coeff.div_floor(&gcd), &period);
    let least = (missing.div_floor(&gcd) * inverse).mod_floor(&period);
    Some((least, period))
}

/// The inverse of `a` modulo `m`, which is coprime to it.
fn inverse(a: &Int, m: &Int) -> Int {
    let (mut r, mut s) = ((m.clone(), a.mod_floor(m)), (Int::ZERO, Int::ONE));
    while !r.1.is_zero() {
        let q = r.0.div_floor(&r.1);
        let next = &r.0 - &q * &r.1;
        r = (r.1, next);
        let next = &s.0 - &q * &s.1;
        s = (s.1, next);
    }
    s.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        for m in 2..40 {
            for a in (-50..50).map(Int::from).filter(|a| a.gcd(&Int::from(m)).is_one()) {
                assert!((inverse(&a, &Int::from(m)) * a).mod_floor(&Int::from(m)).is_one());
            }
        }
    }
}
