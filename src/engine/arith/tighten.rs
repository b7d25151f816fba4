//! Bound propagation over the integers: each linear form bounds its unknowns, each unknown its forms.
//!
//! From `s = 620 x - y` with `s <= 0` and `y <= 3` follows `x <= 0`, rounded. Branching finds such bounds one
//! unit at a time; with large coefficients that is where it gets lost. A derived bound is a cutting-plane step
//! over bounds asserted or derived before, so a contradiction between two of them, or one that the present
//! values violate, comes with its derivation. The rows used are the definitions of the forms: sparse, and the
//! same whatever the basis of the tableau.
//!
//! Propagation need not end by itself (`x > y`, `y > x` push each other up), so its steps are counted.

use super::derivation::Source;
use super::{Arith, ArithVar, Conflict, CutStep, Derivation, IntegerCheck};
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;

/// Derived bounds in one call.
const MAX_STEPS: usize = 200;
/// Rounds over all forms in one call.
const MAX_ROUNDS: usize = 12;
/// Bytes of a bound beyond which it is not kept.
const MAX_NUMBER_BYTES: u64 = 64;

/// A bound of a variable, asserted or derived.
#[derive(Clone)]
struct Known {
    value: Int,
    /// The step that derives it; none if it was asserted.
    step: Option<usize>,
}

/// Lower (0) and upper (1) bounds of all variables.
pub(super) struct Tightened {
    known: Vec<[Option<Known>; 2]>,
    steps: Vec<CutStep>,
    /// Variables with a derived bound, in the order of derivation.
    derived: Vec<(u32, bool)>,
}

impl Tightened {
    /// How many values a variable has left, less one.
    pub(super) fn range(&self, var: u32) -> Option<Int> {
        let [lower, upper] = &self.known[var as usize];
        Some(&upper.as_ref()?.value - &lower.as_ref()?.value)
    }

    fn get(&self, var: u32, upper: bool) -> Option<&Known> {
        self.known[var as usize][usize::from(upper)].as_ref()
    }
}

impl Arith {
    /// Propagates the asserted bounds; the contradiction if one appears.
    pub(super) fn tighten(&self, budget: &mut Budget) -> Result<Result<Tightened, Conflict>, Stop> {
        let known = self.vars.iter().map(|v| {
            [&v.lower, &v.upper]
                .map(|bound| bound.as_ref().map(|b| Known { value: b.value.clone(), step: None }))
        });
        let mut now = Tightened { known: known.collect(), steps: Vec::new(), derived: Vec::new() };
        let rows: Vec<u32> = (0..self.vars.len() as u32).filter(|&v| self.is_bounded_form(v)).collect();
        let mut fresh = vec![true; self.vars.len()];
        for _ in 0..MAX_ROUNDS {
            let old = std::mem::replace(&mut fresh, vec![false; self.vars.len()]);
            let before = now.steps.len();
            for &row in &rows {
                let form = self.vars[row as usize].form.as_ref().expect("rows are forms");
                budget.spend(form.len() as u64)?;
                if !old[row as usize] && !form.iter().any(|(_, x)| old[x.0 as usize] || fresh[x.0 as usize]) {
                    continue;
                }
                for up in [true, false] {
                    if let Some(var) = self.propagate_row(row, up, &mut now, &mut fresh) {
                        return Ok(Err(self.crossing(&now, var)));
                    }
                }
                if now.steps.len() > MAX_STEPS {
                    return Ok(Ok(now));
                }
            }
            if now.steps.len() == before {
                break;
            }
        }
        Ok(Ok(now))
    }

    fn is_bounded_form(&self, var: u32) -> bool {
        let v = &self.vars[var as usize];
        v.form.is_some() && (v.lower.is_some() || v.upper.is_some())
    }

    /// Derives bounds from `sum a_j x_j - s = 0` by bounding all summands but one from below (or, not `up`,
    /// from above). Returns a variable whose bounds contradict each other.
    fn propagate_row(&self, row: u32, up: bool, now: &mut Tightened, fresh: &mut [bool]) -> Option<u32> {
        let form = self.vars[row as usize].form.clone().expect("rows are forms");
        let minus = (Int::MINUS_ONE, ArithVar(row));
        let entries: Vec<&(Int, ArithVar)> = form.iter().chain([&minus]).collect();
        // Which bound of the variable bounds its summand from below.
        let side = |coeff: &Int| coeff.is_negative() == up;
        let mut least = Int::ZERO;
        let mut missing = None;
        for (coeff, x) in &entries {
            match now.get(x.0, side(coeff)) {
                Some(bound) => least += coeff * &bound.value,
                None if missing.is_some() => return None,
                None => missing = Some(*x),
            }
        }
        for &(coeff, x) in &entries {
            if missing.is_some_and(|m| m != *x) {
                continue;
            }
            let own = now.get(x.0, side(coeff)).map_or(Int::ZERO, |bound| coeff * &bound.value);
            // `coeff * x` is at most (up) or at least minus what the others amount to.
            let rest = own - &least;
            let content = self.content(x.0);
            let divisor = coeff * &content;
            // A summand that is always zero says nothing about its variable.
            if divisor.is_zero() {
                continue;
            }
            let upper = !side(coeff);
            let quotient = if upper { rest.div_floor(&divisor) } else { rest.div_ceil(&divisor) };
            let value = quotient * content;
            let better = now
                .get(x.0, upper)
                .is_none_or(|old| if upper { value < old.value } else { value > old.value });
            if !better || value.heap_bytes() > MAX_NUMBER_BYTES {
                continue;
            }
            let others = entries.iter().filter(|e| e.1 != *x);
            let sum = others.map(|(a, y)| self.source(now, a.abs(), y.0, side(a))).collect();
            // What bounds the others has changed nothing, so `least` stays right but for this summand.
            now.steps.push(CutStep { sum });
            let step = Some(now.steps.len() - 1);
            now.known[x.0 as usize][usize::from(upper)] = Some(Known { value, step });
            now.derived.push((x.0, upper));
            fresh[x.0 as usize] = true;
            if now.range(x.0).is_some_and(|range| range.is_negative()) {
                return Some(x.0);
            }
        }
        None
    }

    /// The gcd of the coefficients of a variable over unknowns.
    fn content(&self, var: u32) -> Int {
        let form = self.vars[var as usize].form.as_ref();
        form.map_or(Int::ONE, |form| form.iter().fold(Int::ZERO, |g, (c, _)| g.gcd(c)))
    }

    /// A known bound as a summand of a step.
    fn source(&self, now: &Tightened, multiplier: Int, var: u32, upper: bool) -> (Int, Source) {
        match now.get(var, upper).expect("summands are bounded").step {
            None => (multiplier, Source::Bound(self.premise(var, upper))),
            // The step divided by the content.
            Some(step) => (multiplier * self.content(var), Source::Step(step)),
        }
    }

    fn crossing(&self, now: &Tightened, var: u32) -> Conflict {
        let sum = [false, true].map(|upper| self.source(now, Int::ONE, var, upper)).to_vec();
        let mut steps = now.steps.clone();
        steps.push(CutStep { sum });
        Conflict { derivation: Derivation { steps }.trimmed() }
    }

    /// A derived bound that the present values violate, as a cut.
    pub(super) fn violated_bound(&self, now: &Tightened) -> Option<IntegerCheck> {
        let violated = |&&(var, upper): &&(u32, bool)| {
            let value = &self.vars[var as usize].value;
            let known = now.get(var, upper).expect("derived bounds are known");
            value.cmp_int(&known.value)
                == (if upper { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less })
        };
        // Later bounds are tighter; those of unknowns need no row.
        let is_form = |var: u32| self.vars[var as usize].form.is_some();
        let &(var, upper) = now.derived.iter().rev().filter(violated).min_by_key(|d| is_form(d.0))?;
        self.as_cut(now, var, upper)
    }

    /// A derived bound that leaves an unknown one value, as a cut. The present values may satisfy it; but the tests
    /// of equations need to hear of it, and where a direction is unbounded nothing else may refute them.
    pub(super) fn fixing_bound(&self, now: &Tightened) -> Option<IntegerCheck> {
        let fixes = |&&(var, _): &&(u32, bool)| {
            self.vars[var as usize].form.is_none() && now.range(var).is_some_and(|range| range.is_zero())
        };
        let &(var, upper) = now.derived.iter().rev().find(fixes)?;
        self.as_cut(now, var, upper)
    }

    /// A derived bound as a cut.
    fn as_cut(&self, now: &Tightened, var: u32, upper: bool) -> Option<IntegerCheck> {
        let Known { value, step } = now.get(var, upper)?.clone();
        let content = self.content(var);
        let sign = if upper { Int::ONE } else { Int::MINUS_ONE };
        let mut terms = Vec::new();
        self.add_form(&mut terms, &sign, ArithVar(var));
        terms.iter_mut().for_each(|(c, _)| *c = c.div_floor(&content));
        let steps = now.steps[..=step?].to_vec();
        let bound = sign * value.div_floor(&content);
        Some(IntegerCheck::Cut { terms, bound, derivation: Derivation { steps }.trimmed() })
    }
}
