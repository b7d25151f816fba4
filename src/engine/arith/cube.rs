//! The unit cube test: an integral solution where the bounds leave room for one at any place.
//!
//! If the solutions of all inequalities contain a cube of edge length 1 parallel to the axes, rounding its
//! centre gives an integral solution: each unknown moves by at most a half, so a form moves by at most half the
//! sum of its coefficients. The centres are the rational solutions of the same forms with bounds that are
//! tighter by that much. The test is incomplete, but where some direction is unbounded it finds at once what
//! branching walks towards one unit at a time. (Bromberger and Weidenbach, "Fast Cube Tests for LIA Constraint
//! Solving", IJCAR 2016.)
//!
//! Equations leave no room for a cube, so the test runs over parameters of their integer solutions
//! (`diophantine`) instead of the unknowns. Nothing found here is trusted: every bound is compared with the
//! rounded values before they are taken.

use super::derivation::normalise;
use super::diophantine::Solutions;
use super::{Arith, ArithVar, Variable};
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};

/// The reason of bounds that nobody asserted; they never leave the problem they are made for.
const NOBODY: u32 = u32::MAX;
/// Larger problems are left to cuts and branches: the test solves each from the start.
const MAX_VARIABLES: usize = 1000;

/// A variable over the parameters: a constant and a linear form.
struct Expression {
    constant: Int,
    terms: Vec<(Int, ArithVar)>,
}

impl Arith {
    /// Moves to an integral solution if the cube test finds one; only after a successful [`Arith::check`]. The
    /// values are as before otherwise.
    pub(super) fn fit_cube(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        if self.vars.len() > MAX_VARIABLES {
            return Ok(false);
        }
        let Some(solutions) = self.solutions(budget)? else { return Ok(false) };
        let mut centres = Arith::new();
        let expressions = self.over_parameters(&solutions, &mut centres, budget)?;
        for (v, expression) in self.vars.iter().zip(&expressions) {
            budget.spend(1 + expression.terms.len() as u64)?;
            if !expression.terms.is_empty() && !centres.leave_room(v, expression) {
                return Ok(false);
            }
        }
        if centres.check(budget)?.is_err() {
            return Ok(false);
        }
        let half = Rat::new(&Int::ONE, &Int::from(2));
        let rounded = |x: ArithVar| (centres.value(x) + &half).floor();
        let value =
            |e: &Expression| e.terms.iter().fold(e.constant.clone(), |sum, (c, x)| sum + c * &rounded(*x));
        let values: Vec<Rat> = expressions.iter().map(|e| Rat::from(&value(e))).collect();
        let fits = self.vars.iter().zip(&values).all(|(v, value)| v.admits(value));
        if fits {
            self.vars.iter_mut().zip(values).for_each(|(v, value)| v.value = value);
        }
        Ok(fits)
    }

    /// All variables over parameters, which are unknowns of `centres`.
    fn over_parameters(
        &self,
        solutions: &Solutions,
        centres: &mut Arith,
        budget: &mut Budget,
    ) -> Result<Vec<Expression>, Stop> {
        let parameters: Vec<ArithVar> = solutions.directions.iter().map(|_| centres.new_var()).collect();
        let mut expressions: Vec<Expression> = Vec::with_capacity(self.vars.len());
        for (at, v) in self.vars.iter().enumerate() {
            let place = solutions.unknowns.binary_search(&ArithVar(at as u32));
            let (mut constant, mut terms) = (Int::ZERO, Vec::new());
            match (&v.form, v.fixed(), place) {
                (None, Some(value), _) => constant = value.clone(),
                (None, None, Ok(i)) => {
                    constant = solutions.base[i].clone();
                    let steps = solutions.directions.iter().zip(&parameters);
                    terms.extend(steps.map(|(direction, &t)| (direction[i].clone(), t)));
                }
                (None, None, Err(_)) => terms.push((Int::ONE, centres.new_var())),
                (Some(form), ..) => {
                    for (coeff, x) in form.iter() {
                        // Unknowns come before their forms.
                        let part = &expressions[x.0 as usize];
                        budget.spend(1 + part.terms.len() as u64)?;
                        constant += coeff * &part.constant;
                        terms.extend(part.terms.iter().map(|(c, t)| (c * coeff, *t)));
                    }
                }
            }
            normalise(&mut terms);
            expressions.push(Expression { constant, terms });
        }
        Ok(expressions)
    }

    /// Asserts the bounds of a variable for its expression, tighter by what rounding may take; false if they
    /// leave no room.
    fn leave_room(&mut self, v: &Variable, expression: &Expression) -> bool {
        let Expression { constant, terms } = expression;
        let span = terms.iter().fold(Int::ZERO, |sum, (c, _)| sum + c.abs());
        // Rounding one unknown keeps its bounds, which are integers.
        let half = if span.is_one() { Int::ZERO } else { (span + Int::ONE).div_floor(&Int::from(2)) };
        let lower = v.lower.as_ref().map(|b| &b.value - constant + &half);
        let upper = v.upper.as_ref().map(|b| &b.value - constant - &half);
        if lower.is_none() && upper.is_none() {
            return true;
        }
        let form = self.linear(terms);
        lower.is_none_or(|bound| self.assert_lower(form, &bound, NOBODY).is_ok())
            && upper.is_none_or(|bound| self.assert_upper(form, &bound, NOBODY).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Random forms with large coefficients, some of them fixed: what the test finds is integral and within all
    /// bounds, and the values are as they were where it finds nothing.
    #[test]
    fn rounded_centres_are_solutions() {
        let (mut found, mut failed) = (0, 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let mut arith = Arith::new();
            let unknowns: Vec<ArithVar> = (0..2 + rng.below(3)).map(|_| arith.new_var()).collect();
            let number = |rng: &mut Rng, n: usize| Int::from(rng.below(2 * n + 1) as i64 - n as i64);
            let mut consistent = true;
            for at in 0..2 + rng.below(4) {
                let largest = if seed % 2 == 0 { 1000 } else { 9 };
                let terms: Vec<(Int, ArithVar)> =
                    unknowns.iter().map(|&x| (number(&mut rng, largest), x)).collect();
                let form = if rng.one_in(4) { *rng.pick(&unknowns) } else { arith.linear(&terms) };
                let bound = number(&mut rng, 2000);
                let (lower, upper) =
                    if at == 0 && rng.one_in(2) { (true, true) } else { (rng.one_in(2), false) };
                consistent &= !lower || arith.assert_lower(form, &bound, 0).is_ok();
                consistent &= (lower && !upper) || arith.assert_upper(form, &bound, 0).is_ok();
            }
            let budget = &mut Budget::unlimited();
            if !consistent || arith.check(budget).unwrap().is_err() {
                continue;
            }
            let before: Vec<Rat> = arith.vars.iter().map(|v| v.value.clone()).collect();
            if arith.fit_cube(budget).unwrap() {
                found += 1;
                assert!(arith.vars.iter().all(|v| v.value.is_integer() && v.admits(&v.value)), "seed {seed}");
            } else {
                failed += 1;
                assert!(arith.vars.iter().map(|v| &v.value).eq(&before), "seed {seed}");
            }
            assert!(arith.check_tableau(), "seed {seed}");
        }
        assert!(found > 100 && failed > 10, "{found} found, {failed} not");
    }

    /// The solutions of the equation are far apart; its parameters see them as neighbours.
    #[test]
    fn equations_are_parameterised() {
        let mut arith = Arith::new();
        let (x, y, z) = (arith.new_var(), arith.new_var(), arith.new_var());
        let int = |n: i64| Int::from(n);
        let equation = arith.linear(&[(int(6), x), (int(10), y), (int(15), z)]);
        arith.assert_lower(equation, &int(1), 0).unwrap();
        arith.assert_upper(equation, &int(1), 1).unwrap();
        let far = arith.linear(&[(int(777), x), (int(-500), y)]);
        arith.assert_lower(far, &int(123_457), 2).unwrap();
        let budget = &mut Budget::unlimited();
        arith.check(budget).unwrap().unwrap();
        assert!(arith.fit_cube(budget).unwrap());
        assert_eq!(*arith.value(equation), Rat::ONE);
        assert!(arith.check_tableau());
    }
}
