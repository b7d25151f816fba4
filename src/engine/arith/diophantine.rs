//! Whether the fixed linear forms, read as a system of equations, have an integer solution at all.
//!
//! Unimodular column operations bring the system to triangular (Hermite) shape, one equation at a time;
//! then each new coordinate is a quotient that must be an integer. If one is not, the multipliers of the
//! equations that isolate it show the conflict: their combination has coefficients divisible by some `d`
//! and a constant that is not. Unlike a gcd test on single rows this is complete for equations, and
//! unbounded unknowns do not matter. (Schrijver, Theory of Linear and Integer Programming, section 4.1.)

use super::{Arith, ArithVar};
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};

/// Larger systems are left to branching: the coefficients grow with every equation.
const MAX_EQUATIONS: usize = 48;
const MAX_UNKNOWNS: usize = 96;
/// Bytes of one coefficient beyond which the system is given up.
const MAX_NUMBER_BYTES: u64 = 256;

struct System {
    /// The variable whose fixed form each equation is.
    names: Vec<ArithVar>,
    /// One row of coefficients per equation.
    rows: Vec<Vec<Int>>,
    constants: Vec<Int>,
}

impl Arith {
    /// Integer multipliers of fixed variables whose sum of equations has no integer solution by its gcd
    /// alone, if the fixed forms have none together.
    pub(super) fn diophantine_conflict(
        &self,
        budget: &mut Budget,
    ) -> Result<Option<Vec<(Int, ArithVar)>>, Stop> {
        let Some(system) = self.fixed_forms() else { return Ok(None) };
        let Some(weights) = unsolvable(system.rows, &system.constants, budget)? else { return Ok(None) };
        let scale = weights.iter().fold(Int::ONE, |d, w| d.lcm(&w.denominator()));
        let mut sum: Vec<(Int, ArithVar)> = Vec::new();
        for (weight, &name) in weights.iter().zip(&system.names) {
            let multiplier = weight.numerator() * scale.div_floor(&weight.denominator());
            if !multiplier.is_zero() {
                sum.push((multiplier, name));
            }
        }
        // Fixed unknowns were constants of the system: their own bounds take them out of the sum.
        let mut expanded = Vec::new();
        for (coeff, var) in &sum {
            self.add_form(&mut expanded, coeff, *var);
        }
        super::normalise(&mut expanded);
        sum.extend(
            expanded.into_iter().filter(|(_, x)| self.fixed_value(*x).is_some()).map(|(c, x)| (-c, x)),
        );
        Ok(Some(sum))
    }

    /// The fixed forms over the unknowns that are not fixed themselves.
    fn fixed_forms(&self) -> Option<System> {
        let fixed = |v: &&u32| self.vars[**v as usize].fixed().is_some();
        let basics: Vec<u32> =
            (0..self.vars.len() as u32).filter(|&v| self.vars[v as usize].form.is_some()).collect();
        let names: Vec<ArithVar> = basics.iter().filter(fixed).map(|&v| ArithVar(v)).collect();
        if names.is_empty() || names.len() > MAX_EQUATIONS {
            return None;
        }
        let mut unknowns: Vec<ArithVar> = Vec::new();
        for &name in &names {
            let form = self.definition(name).unwrap_or_default();
            unknowns.extend(form.iter().map(|(_, x)| *x).filter(|x| self.fixed_value(*x).is_none()));
        }
        unknowns.sort_unstable();
        unknowns.dedup();
        if unknowns.len() > MAX_UNKNOWNS {
            return None;
        }
        let mut system = System { rows: Vec::new(), constants: Vec::new(), names };
        for &name in &system.names {
            let mut row = vec![Int::ZERO; unknowns.len()];
            let mut constant = self.fixed_value(name).cloned().unwrap_or_default();
            for (coeff, x) in self.definition(name).unwrap_or_default() {
                match (self.fixed_value(*x), unknowns.binary_search(x)) {
                    (Some(value), _) => constant -= coeff * value,
                    (None, at) => row[at.expect("every unknown was collected")] = coeff.clone(),
                }
            }
            system.rows.push(row);
            system.constants.push(constant);
        }
        Some(system)
    }
}

/// Multipliers `w` of the equations such that `w * rows` is integral and `w * constants` is not; `None`
/// if there are none, or if the numbers grow too large.
fn unsolvable(
    mut rows: Vec<Vec<Int>>,
    constants: &[Int],
    budget: &mut Budget,
) -> Result<Option<Vec<Rat>>, Stop> {
    let columns = rows.first().map_or(0, Vec::len);
    // For each finished coordinate: its value, and the multipliers of the equations that give it.
    let mut solved: Vec<(Int, Vec<Rat>)> = Vec::new();
    for i in 0..rows.len() {
        let pivot = solved.len();
        if !isolate(&mut rows[i..], pivot, columns, budget)? {
            return Ok(None);
        }
        if pivot == columns || rows[i][pivot].is_zero() {
            // The equation depends on earlier ones; that it agrees with them is the simplex's business.
            continue;
        }
        let mut rest = constants[i].clone();
        let mut weights = vec![Rat::ZERO; constants.len()];
        weights[i] = Rat::ONE;
        for (coeff, (value, previous)) in rows[i].iter().zip(&solved) {
            if coeff.is_zero() {
                continue;
            }
            budget.spend(i as u64)?;
            rest -= coeff * value;
            for (w, p) in weights.iter_mut().zip(previous) {
                *w -= Rat::from(coeff) * p;
            }
        }
        let divisor = Rat::from(&rows[i][pivot]);
        weights.iter_mut().for_each(|w| *w /= &divisor);
        if !rows[i][pivot].divides(&rest) {
            return Ok(Some(weights));
        }
        solved.push((rest.div_floor(&rows[i][pivot]), weights));
    }
    Ok(None)
}

/// Column operations on all `rows` that leave at most one nonzero coefficient, at `pivot`, in the first
/// row from column `pivot` on. False if a number grew too large.
fn isolate(rows: &mut [Vec<Int>], pivot: usize, columns: usize, budget: &mut Budget) -> Result<bool, Stop> {
    loop {
        let nonzero = |&c: &usize| !rows[0][c].is_zero();
        let Some(least) = (pivot..columns).filter(nonzero).min_by_key(|&c| (rows[0][c].abs(), c)) else {
            return Ok(true);
        };
        rows.iter_mut().for_each(|row| row.swap(pivot, least));
        let mut done = true;
        for c in pivot + 1..columns {
            if rows[0][c].is_zero() {
                continue;
            }
            budget.spend(rows.len() as u64)?;
            let quotient = rows[0][c].div_floor(&rows[0][pivot]);
            for row in rows.iter_mut() {
                let change = &quotient * &row[pivot];
                row[c] -= change;
                if row[c].heap_bytes() > MAX_NUMBER_BYTES {
                    return Ok(false);
                }
            }
            done &= rows[0][c].is_zero();
        }
        if done {
            return Ok(true);
        }
    }
}
