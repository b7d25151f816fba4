//! From a rational solution to an integral one: equality tests, cuts, and what to branch on.
//!
//! In this order, cheapest first: a gcd test on the rows whose basic variable is fractional, the equality
//! system of [`super::diophantine`], the shifts of [`super::patch`], now and then the cubes of [`super::cube`] and,
//! more seldom, the boxes of [`super::near`], the bounds of [`super::tighten`], a Chvatal-Gomory cut, a branch. Everything that is not a branch is
//! derivable by adding up bounds, dividing and rounding, so the certificate needs no further rule.

use super::derivation::{Source, normalise};
use super::diophantine::Equations;
use super::tighten::Tightened;
use super::{Arith, ArithVar, Conflict, CutStep, Derivation, Premise};
use crate::util::limits::{Budget, Stop};
use crate::util::num::{Int, Rat};
use crate::util::options;

/// Cuts, planes and coordinates with larger coefficients come from ill-conditioned rows; branching on an unknown
/// is better then. Their rows are permanent, and the next ones grow from them.
const MAX_COEFF: i64 = 1 << 31;

/// Unknowns with fewer values left are branched on before the coordinates of the equations.
const NARROW: i64 = 64;

/// What [`Arith::check_integer`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerCheck {
    /// All values are integers.
    Integral,
    /// Split on `var <= floor` or `var >= floor + 1`; the present value lies strictly between.
    Branch {
        /// A variable with a fractional value. It may be a form that the caller has not seen yet; see
        /// [`Arith::definition`].
        var: ArithVar,
        /// Its value rounded down.
        floor: Int,
    },
    /// `terms <= bound` follows from the asserted bounds over the integers. The present values violate it, or
    /// it leaves an unknown only one value.
    Cut {
        /// The form, over unknowns, primitive.
        terms: Vec<(Int, ArithVar)>,
        /// Its greatest value.
        bound: Int,
        /// Its last step is the cut.
        derivation: Derivation,
    },
    /// The asserted bounds have no integer solution.
    Conflict(Conflict),
}

struct Cut {
    terms: Vec<(Int, ArithVar)>,
    bound: Int,
    derivation: Derivation,
}

impl Arith {
    /// Looks for an integral solution near the present one; only after a successful [`Arith::check`]. Values
    /// may change, within all bounds.
    pub fn check_integer(&mut self, budget: &mut Budget) -> Result<IntegerCheck, Stop> {
        debug_assert!(self.queue.is_empty(), "check_integer follows a successful check");
        budget.spend(1 + self.tableau.row_count() as u64)?;
        let rows = self.fractional_rows();
        if rows.is_empty() {
            return Ok(IntegerCheck::Integral);
        }
        for &row in &rows {
            budget.spend(self.tableau.row(row).len() as u64)?;
            if let Some(sum) = self.row_gcd_conflict(row) {
                return Ok(IntegerCheck::Conflict(self.equation_conflict(&sum)));
            }
        }
        let free = match self.solve_equations(budget)? {
            Equations::Unsolvable(sum) => return Ok(IntegerCheck::Conflict(self.equation_conflict(&sum))),
            Equations::Free(forms) => forms,
        };
        if self.patch(&rows, budget)? {
            return Ok(IntegerCheck::Integral);
        }
        let turn = self.fractional_calls;
        self.fractional_calls += 1;
        if turn % options::INTEGERS_CUBE_PERIOD.get() == 1 && self.fit_cube(budget)? {
            return Ok(IntegerCheck::Integral);
        }
        if turn % options::INTEGERS_BOX_PERIOD.get() == options::INTEGERS_FIRST_BOX.get()
            && self.search_box(budget)?
        {
            return Ok(IntegerCheck::Integral);
        }
        let tightened = match self.tighten(budget)? {
            Err(conflict) => return Ok(IntegerCheck::Conflict(conflict)),
            Ok(tightened) => tightened,
        };
        if let Some(cut) = self.fixing_bound(&tightened) {
            return Ok(cut);
        }
        // Bounds may push each other up for ever, so the other ways get their turn.
        if !turn.is_multiple_of(options::INTEGERS_CUT_PERIOD.get())
            && let Some(cut) = self.violated_bound(&tightened)
        {
            return Ok(cut);
        }
        if turn.is_multiple_of(options::INTEGERS_CUT_PERIOD.get()) && self.cuts < options::INTEGERS_CUTS.get()
        {
            for &row in rows.iter().take(options::INTEGERS_CUT_ROWS.size()) {
                budget.spend(2 * self.tableau.row(row).len() as u64)?;
                if let Some(cut) = self.row_cut(row) {
                    self.cuts += 1;
                    let Cut { terms, bound, derivation } = cut;
                    return Ok(IntegerCheck::Cut { terms, bound, derivation });
                }
            }
        }
        if let Some(branch) = self.branch_on_plane(&rows, budget)? {
            return Ok(branch);
        }
        Ok(self.branch(&rows, &free, &tightened))
    }

    /// If no fractional unknown is bounded: a split on a form that has to be an integer.
    fn branch_on_plane(&mut self, rows: &[u32], budget: &mut Budget) -> Result<Option<IntegerCheck>, Stop> {
        let bounded = |&row: &u32| {
            let v = &self.vars[self.tableau.basic(row) as usize];
            v.form.is_none() && v.lower.is_some() && v.upper.is_some()
        };
        if rows.iter().any(bounded) {
            return Ok(None);
        }
        let Some(plane) = self.fractional_plane(budget)?.filter(|p| is_tame(p)) else { return Ok(None) };
        let var = self.linear(&plane);
        debug_assert!(!self.value(var).is_integer(), "the plane goes through the present solution");
        Ok(Some(IntegerCheck::Branch { var, floor: self.value(var).floor() }))
    }

    /// The rows whose basic variable has a fractional value. Variables that are not basic never have.
    fn fractional_rows(&self) -> Vec<u32> {
        let fractional = |&row: &u32| !self.vars[self.tableau.basic(row) as usize].value.is_integer();
        (0..self.tableau.row_count() as u32).filter(fractional).collect()
    }

    /// Multipliers of the fixed variables of a row whose sum is no multiple of the gcd of the others.
    fn row_gcd_conflict(&self, row: u32) -> Option<Vec<(Int, ArithVar)>> {
        let mut gcd = Int::ZERO;
        let mut constant = Int::ZERO;
        let mut sum = Vec::new();
        for entry in self.tableau.row(row) {
            match self.vars[entry.var as usize].fixed() {
                Some(value) => {
                    constant += &entry.coeff * value;
                    sum.push((entry.coeff.clone(), ArithVar(entry.var)));
                }
                None => {
                    gcd = gcd.gcd(&entry.coeff);
                    if gcd.is_one() {
                        return None;
                    }
                }
            }
        }
        (!gcd.divides(&constant)).then_some(sum)
    }

    /// The conflict of an equation between fixed variables: rounded from both sides, it misses by one.
    fn equation_conflict(&self, sum: &[(Int, ArithVar)]) -> Conflict {
        let side = |upward: bool| {
            let premise = |(k, v): &(Int, ArithVar)| (k.abs(), self.premise(v.0, k.is_positive() == upward));
            CutStep::of_bounds(sum.iter().map(premise).collect())
        };
        let both = CutStep { sum: vec![(Int::ONE, Source::Step(0)), (Int::ONE, Source::Step(1))] };
        Conflict { derivation: Derivation { steps: vec![side(true), side(false), both] } }
    }

    /// The better of the two Chvatal-Gomory cuts of a fractional row, if all its variables are at bounds.
    fn row_cut(&self, row: u32) -> Option<Cut> {
        let cuts = [self.oriented_cut(row, false), self.oriented_cut(row, true)];
        cuts.into_iter().flatten().min_by_key(|cut| cut.terms.len())
    }

    /// The row is `d x + sum a_j x_j = 0` with `d > 0` after orientation. Taking `a_j mod d` of each lower
    /// bound and `-a_j mod d` of each upper one leaves a form all of whose coefficients `d` divides, with
    /// the present value of the form as its bound; that value is no multiple of `d`, so rounding cuts.
    fn oriented_cut(&self, row: u32, negate: bool) -> Option<Cut> {
        let basic = self.tableau.basic(row);
        let d = self.tableau.basic_coeff(row);
        let flip = d.is_negative() != negate;
        let d = d.abs();
        let mut sum: Vec<(Int, Premise)> = Vec::new();
        for entry in self.tableau.row(row).iter().filter(|e| e.var != basic) {
            let v = &self.vars[entry.var as usize];
            let upper = !v.at_lower();
            let coeff = if flip != upper { -&entry.coeff } else { entry.coeff.clone() };
            let multiplier = coeff.mod_floor(&d);
            if multiplier.is_zero() {
                continue;
            }
            if upper && !v.at_upper() {
                return None;
            }
            sum.push((multiplier, self.premise(entry.var, upper)));
        }
        let mut terms = Vec::new();
        let mut bound = Int::ZERO;
        for (k, premise) in &sum {
            let k = if premise.upper { k.clone() } else { -k };
            bound += &k * &premise.bound;
            self.add_form(&mut terms, &k, premise.var);
        }
        normalise(&mut terms);
        let gcd = terms.iter().fold(Int::ZERO, |g, (c, _)| g.gcd(c));
        debug_assert!(d.divides(&gcd) && !gcd.divides(&bound), "a cut rounds");
        terms.iter_mut().for_each(|(c, _)| *c = c.div_floor(&gcd));
        if terms.len() > options::INTEGERS_CUT_TERMS.size() || !is_tame(&terms) {
            return None;
        }
        Some(Cut { terms, bound: bound.div_floor(&gcd), derivation: Derivation::single(sum) })
    }

    /// The fractional unknown with the smallest range between its bounds, then the smallest index. If all
    /// ranges are wide, the first fractional coordinate of the solutions of the equations, if there is one.
    fn branch(&mut self, rows: &[u32], free: &[Vec<(Int, ArithVar)>], now: &Tightened) -> IntegerCheck {
        let range = |v: u32| now.range(v);
        let unknowns = rows.iter().map(|&row| self.tableau.basic(row));
        let unknowns = unknowns.filter(|&v| self.vars[v as usize].form.is_none());
        let chosen = unknowns.min_by_key(|&v| {
            let range = range(v);
            (range.is_none(), range, v)
        });
        // Forms of integral unknowns are integral.
        let chosen = chosen.expect("a fractional solution has a fractional unknown");
        let value = |form: &[(Int, ArithVar)]| {
            form.iter().fold(Rat::ZERO, |sum, (c, x)| sum + Rat::from(c) * self.value(*x))
        };
        let is_narrow = range(chosen).is_some_and(|range| range < Int::from(NARROW));
        let coordinate = free.iter().find(|form| is_tame(form) && !value(form).is_integer());
        let var = match coordinate {
            Some(form) if !is_narrow => self.linear(form),
            _ => ArithVar(chosen),
        };
        IntegerCheck::Branch { var, floor: self.value(var).floor() }
    }
}

/// Whether a form has no coefficient that is too large for a row of its own.
fn is_tame(form: &[(Int, ArithVar)]) -> bool {
    let largest = Int::from(MAX_COEFF);
    form.iter().all(|(c, _)| c.abs() <= largest)
}
