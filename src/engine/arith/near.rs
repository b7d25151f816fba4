//! An integral solution near the present one, where some direction is unbounded.
//!
//! Branching may walk along an unbounded direction for ever: every split is satisfied one unit further, so none is
//! ever refuted. In a box there is an end to that. So now and then a copy of the problem is searched in which
//! every unknown stays within some distance of its present value, the distances growing from box to box. What is found
//! there holds without the box as well; that nothing is found says nothing.

use super::branch::find_integers;
use super::{Arith, ArithVar};
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;
use crate::util::options;

/// The reason of the sides of a box; it never leaves the copy.
const NOBODY: u32 = u32::MAX;
/// Larger problems are left to cuts and branches.
const MAX_VARIABLES: usize = 400;
/// The distances are powers of two: the first, the factor between two boxes, and how many there are before
/// they begin again.
const FIRST: u32 = 6;
const STEP: u32 = 3;
const SIZES: u32 = 5;

impl Arith {
    /// Moves to an integral solution if the next box has one that is found soon; only after a successful
    /// [`Arith::check`]. The values are as before otherwise.
    pub(super) fn search_box(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        let Some(turn) = self.boxes else { return Ok(false) };
        if self.vars.len() > MAX_VARIABLES {
            return Ok(false);
        }
        self.boxes = Some(turn + 1);
        let distance = Int::from(1i64 << (FIRST + STEP * (turn % SIZES)));
        let mut copy = self.clone();
        copy.boxes = None;
        copy.push();
        for at in (0..self.vars.len()).filter(|&at| self.vars[at].form.is_none()) {
            budget.spend(1)?;
            let (var, centre) = (ArithVar(at as u32), self.vars[at].value.floor());
            let sides = copy
                .assert_lower(var, &(&centre - &distance), NOBODY)
                .and_then(|()| copy.assert_upper(var, &(centre + &distance), NOBODY));
            if sides.is_err() {
                return Ok(false);
            }
        }
        let Some(found) = find_integers(copy, options::INTEGERS_BOX_NODES.size(), budget)? else {
            return Ok(false);
        };
        let fits = self.vars.iter().zip(&found.vars).all(|(v, there)| v.admits(&there.value));
        debug_assert!(fits, "a box only adds bounds");
        if fits {
            // Later variables of the copy are forms that it needed itself.
            self.vars.iter_mut().zip(found.vars).for_each(|(v, there)| v.value = there.value);
        }
        Ok(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    /// Random forms that leave some direction unbounded: what is found is integral and within all bounds, and
    /// the values are as they were where nothing is found.
    #[test]
    fn what_is_found_is_a_solution() {
        let (mut found, mut failed) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let mut arith = Arith::new();
            let unknowns: Vec<ArithVar> = (0..2 + rng.below(4)).map(|_| arith.new_var()).collect();
            let number = |rng: &mut Rng, n: usize| Int::from(rng.below(2 * n + 1) as i64 - n as i64);
            let mut consistent = true;
            for at in 0..2 + rng.below(4) {
                let terms: Vec<(Int, ArithVar)> =
                    unknowns.iter().map(|&x| (number(&mut rng, 300), x)).collect();
                let form = arith.linear(&terms);
                let bound = number(&mut rng, 5000);
                consistent &= arith.assert_lower(form, &bound, 0).is_ok();
                // The first one is an equation, the others leave room on one side.
                consistent &= at > 0 || arith.assert_upper(form, &bound, 1).is_ok();
            }
            let budget = &mut Budget::unlimited();
            if !consistent || arith.check(budget).unwrap().is_err() {
                continue;
            }
            arith.boxes = Some(seed as u32 % SIZES);
            let before = arith.vars.clone();
            if arith.search_box(budget).unwrap() {
                found += 1;
                assert!(arith.vars.iter().all(|v| v.value.is_integer() && v.admits(&v.value)), "seed {seed}");
            } else {
                failed += 1;
                assert!(arith.vars.iter().zip(&before).all(|(a, b)| a.value == b.value), "seed {seed}");
            }
            assert!(arith.check_tableau(), "seed {seed}");
        }
        assert!(found > 100 && failed > 10, "{found} found, {failed} not");
    }
}
