//! Whether the fixed linear forms, read as a system of equations, have an integer solution at all.
//!
//! Unimodular column operations bring the system to triangular (Hermite) shape, one equation at a time;
//! then each new coordinate is a quotient that must be an integer. If one is not, the multipliers of the
//! equations that isolate it show the conflict: their combination has coefficients divisible by some `d`
//! and a constant that is not. Unlike a gcd test on single rows this is complete for equations, and
//! unbounded unknowns do not matter. (Schrijver, Theory of Linear and Integer Programming, section 4.1.)
//!
//! If the system is solvable, the coordinates left free run through all its integer solutions. Branching on
//! one of them never meets a parity obstacle of the equations, where branching on unbounded unknowns can
//! follow one for ever: `6x + 10y + 15z = 1` has solutions that splits on `x`, `y`, `z` do not reach.

use super::{Arith, ArithVar, Variable};
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};

/// Larger systems are left to branching: the coefficients grow with every equation.
const MAX_EQUATIONS: usize = 48;
const MAX_UNKNOWNS: usize = 96;
/// Bytes of one coefficient beyond which the system is given up.
const MAX_NUMBER_BYTES: u64 = 256;

/// What the equations between fixed forms say.
pub(super) enum Equations {
    /// Integer multipliers of fixed variables whose sum of equations has no integer solution by its gcd.
    Unsolvable(Vec<(Int, ArithVar)>),
    /// They are solvable, with these linear forms free to take any integers; or too large to tell.
    Free(Vec<Vec<(Int, ArithVar)>>),
}

/// All integer solutions of the equations: the base, and integer multiples of the directions.
#[derive(Default)]
pub(super) struct Solutions {
    /// The unknowns of the equations that are not fixed, sorted.
    pub(super) unknowns: Vec<ArithVar>,
    /// A solution, in the order of the unknowns.
    pub(super) base: Vec<Int>,
    /// Linearly independent, each in the order of the unknowns.
    pub(super) directions: Vec<Vec<Int>>,
}

struct System {
    /// The variable whose fixed form each equation is.
    names: Vec<ArithVar>,
    unknowns: Vec<ArithVar>,
    /// One row of coefficients per equation.
    rows: Vec<Vec<Int>>,
    constants: Vec<Int>,
}

/// The inverse of all column operations so far: its rows are the coordinates as forms of the unknowns.
type Coordinates = Vec<Vec<Int>>;

enum Solved {
    /// Multipliers `w` of the equations: `w * rows` is integral and `w * constants` is not.
    No(Vec<Rat>),
    /// The values of the first coordinates; the equations leave the others free.
    Yes(Vec<Int>),
    TooLarge,
}

impl Arith {
    /// Decides the fixed forms as equations over the integers.
    pub(super) fn solve_equations(&self, budget: &mut Budget) -> Result<Equations, Stop> {
        let fixed = |v: &Variable| v.fixed().is_some();
        let Some(system) = self.forms(fixed) else { return Ok(Equations::Free(Vec::new())) };
        let System { names, unknowns, mut rows, constants } = system;
        let mut coordinates = identity(unknowns.len());
        Ok(match triangulate(&mut rows, &constants, &mut coordinates, budget)? {
            Solved::No(weights) => Equations::Unsolvable(self.combination(&weights, &names)),
            Solved::TooLarge => Equations::Free(Vec::new()),
            Solved::Yes(values) => {
                let form = |row: Vec<Int>| row.into_iter().zip(unknowns.iter().copied()).collect();
                Equations::Free(coordinates.into_iter().skip(values.len()).map(form).collect())
            }
        })
    }

    /// All integer solutions of the fixed forms as equations; nothing if there are none or it is too large.
    pub(super) fn solutions(&self, budget: &mut Budget) -> Result<Option<Solutions>, Stop> {
        let fixed = |v: &Variable| v.fixed().is_some();
        let Some(system) = self.forms(fixed) else {
            let any = self.vars.iter().any(|v| v.form.is_some() && fixed(v));
            return Ok((!any).then(Solutions::default));
        };
        let System { unknowns, mut rows, constants, .. } = system;
        let n = unknowns.len();
        // Column operations on the identity: its columns are the coordinates in terms of the unknowns.
        rows.extend(identity(n));
        let solved = triangulate(&mut rows, &constants, &mut identity(n), budget)?;
        let Solved::Yes(values) = solved else { return Ok(None) };
        let columns = &rows[constants.len()..];
        let at_base = |row: &Vec<Int>| row.iter().zip(&values).fold(Int::ZERO, |sum, (c, v)| sum + c * v);
        let base = columns.iter().map(at_base).collect();
        let direction = |k: usize| columns.iter().map(|row| row[k].clone()).collect();
        let directions = (values.len()..n).map(direction).collect();
        Ok(Some(Solutions { unknowns, base, directions }))
    }

    /// A form that every integer solution takes an integer at, but the present one a fraction, because it lies on
    /// bounds that have no integer point in common. A split there cuts off this corner with all that is
    /// parallel to it, where splits on unbounded unknowns only move along: `1 <= 6x - 3y <= 2` (Dillig, Dillig,
    /// Aiken, Cuts from Proofs, CAV 2009).
    pub(super) fn fractional_plane(&self, budget: &mut Budget) -> Result<Option<Vec<(Int, ArithVar)>>, Stop> {
        let Some(system) = self.forms(|v| v.at_lower() || v.at_upper()) else { return Ok(None) };
        let System { unknowns, rows, constants, .. } = system;
        let solved = triangulate(&mut rows.clone(), &constants, &mut identity(unknowns.len()), budget)?;
        let Solved::No(weights) = solved else { return Ok(None) };
        let mut plane = Vec::new();
        for (i, &unknown) in unknowns.iter().enumerate() {
            let sum = rows.iter().zip(&weights).fold(Rat::ZERO, |sum, (row, w)| sum + Rat::from(&row[i]) * w);
            let coefficient = sum.to_int().expect("the weights make the sum integral");
            if !coefficient.is_zero() {
                plane.push((coefficient, unknown));
            }
        }
        Ok(Some(plane))
    }

    /// The weighted sum of equations as integer multipliers of fixed variables.
    fn combination(&self, weights: &[Rat], names: &[ArithVar]) -> Vec<(Int, ArithVar)> {
        let scale = weights.iter().fold(Int::ONE, |d, w| d.lcm(&w.denominator()));
        let mut sum: Vec<(Int, ArithVar)> = Vec::new();
        for (weight, &name) in weights.iter().zip(names) {
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
        expanded.retain(|(_, x)| self.fixed_value(*x).is_some());
        sum.extend(expanded.into_iter().map(|(c, x)| (-c, x)));
        sum
    }

    /// Some forms, with their present values, over the unknowns that are not fixed.
    fn forms(&self, chosen: impl Fn(&Variable) -> bool) -> Option<System> {
        let places = self.vars.iter().enumerate().filter(|(_, v)| v.form.is_some() && chosen(v));
        let names: Vec<ArithVar> = places.map(|(i, _)| ArithVar(i as u32)).collect();
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
        let mut system = System { rows: Vec::new(), constants: Vec::new(), unknowns, names };
        for &name in &system.names {
            let mut row = vec![Int::ZERO; system.unknowns.len()];
            let mut constant = self.value(name).to_int().expect("bounds are integers");
            for (coeff, x) in self.definition(name).unwrap_or_default() {
                match (self.fixed_value(*x), system.unknowns.binary_search(x)) {
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

fn identity(size: usize) -> Coordinates {
    let entry = |i, j| if i == j { Int::ONE } else { Int::ZERO };
    (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect()
}

/// Brings the system to triangular shape and solves it on the way. Rows beyond the constants are no equations:
/// the column operations are done on them, nothing else.
fn triangulate(
    rows: &mut [Vec<Int>],
    constants: &[Int],
    coordinates: &mut Coordinates,
    budget: &mut Budget,
) -> Result<Solved, Stop> {
    let columns = coordinates.len();
    // For each finished coordinate: its value, and the multipliers of the equations that give it.
    let mut solved: Vec<(Int, Vec<Rat>)> = Vec::new();
    for i in 0..constants.len() {
        let pivot = solved.len();
        if !isolate(&mut rows[i..], pivot, coordinates, budget)? {
            return Ok(Solved::TooLarge);
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
            return Ok(Solved::No(weights));
        }
        solved.push((rest.div_floor(&rows[i][pivot]), weights));
    }
    Ok(Solved::Yes(solved.into_iter().map(|(value, _)| value).collect()))
}

/// Column operations on all `rows` that leave at most one nonzero coefficient, at `pivot`, in the first
/// row from column `pivot` on. False if a number grew too large.
fn isolate(
    rows: &mut [Vec<Int>],
    pivot: usize,
    coordinates: &mut Coordinates,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    let columns = coordinates.len();
    loop {
        let nonzero = |&c: &usize| !rows[0][c].is_zero();
        let Some(least) = (pivot..columns).filter(nonzero).min_by_key(|&c| (rows[0][c].abs(), c)) else {
            return Ok(true);
        };
        rows.iter_mut().for_each(|row| row.swap(pivot, least));
        coordinates.swap(pivot, least);
        let mut done = true;
        for c in pivot + 1..columns {
            if rows[0][c].is_zero() {
                continue;
            }
            budget.spend((rows.len() + columns) as u64)?;
            let quotient = rows[0][c].div_floor(&rows[0][pivot]);
            for row in rows.iter_mut() {
                let change = &quotient * &row[pivot];
                row[c] -= change;
                if row[c].heap_bytes() > MAX_NUMBER_BYTES {
                    return Ok(false);
                }
            }
            // The inverse operation: columns c -= q * pivot undo as rows pivot += q * c.
            let (head, tail) = coordinates.split_at_mut(c);
            for (to, from) in head[pivot].iter_mut().zip(&tail[0]) {
                *to += &quotient * from;
            }
            done &= rows[0][c].is_zero();
        }
        if done {
            return Ok(true);
        }
    }
}
