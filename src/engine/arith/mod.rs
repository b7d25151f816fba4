//! Linear integer arithmetic: an incremental general simplex with integer reasoning on top.
//!
//! The simplex is that of Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)" (CAV 2006):
//! every constraint is a bound on a variable, which is either an unknown or stands for a linear form of
//! unknowns. The caller owns the atoms; it asserts bounds with an opaque tag, and gets back derivations
//! over those bounds ([`Derivation`]) that a naive checker can replay. All unknowns are integers, so
//! strict bounds do not occur: `e < k` is `e <= k - 1`.
//!
//! Variables and rows are permanent; [`Arith::pop`] undoes bounds only. Values are not restored: whatever
//! the last moves left satisfies every row, and it is repaired by the next [`Arith::check`].
//!
//! Forms are not divided by their gcd and not oriented: `2x + 2y`, `x + y` and `-x - y` are three
//! variables. A caller that normalises its atoms saves rows and lets two bounds meet in one variable,
//! which the equality tests look for.
//!
//! Invariants ([`Arith::check_tableau`]): values satisfy all rows; a variable that is not basic lies
//! within its bounds and is integral; a basic variable outside its bounds is queued.
//!
//! Deliberately missing: a decision procedure for unbounded problems. Boxes around the present solution are
//! searched now and then (`near`), so that what has a solution is not walked past for ever; where there is none,
//! branching may go on for ever, and the budget ends it.

mod branch;
mod cube;
mod derivation;
mod diophantine;
mod integer;
mod near;
mod patch;
mod simplex;
mod tableau;
mod tighten;

#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

pub use branch::RefutationStep;
#[cfg(feature = "testing")]
pub use branch::{Constraint, IntegerAnswer, Relation, solve_integers};
pub use derivation::{Conflict, CutStep, Derivation, Premise, Source};
pub use integer::IntegerCheck;

use crate::util::hash::Map;
use crate::util::num::{Int, Rat};
use derivation::normalise;
use tableau::Tableau;

/// A variable: an unknown of [`Arith::new_var`] or a linear form of [`Arith::linear`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArithVar(pub u32);

/// A linear form over unknowns, sorted by unknown, without zeros.
type Form = Arc<[(Int, ArithVar)]>;

#[derive(Clone, Debug)]
struct Bound {
    value: Int,
    reason: u32,
}

#[derive(Clone, Debug)]
struct Variable {
    value: Rat,
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// What the variable stands for; `None` for an unknown.
    form: Option<Form>,
    /// Whether the variable is in the queue of possibly violated ones.
    queued: bool,
}

/// The bound that an assertion replaced.
#[derive(Clone, Debug)]
struct Undo {
    var: u32,
    upper: bool,
    old: Option<Bound>,
}

/// The arithmetic solver.
#[derive(Clone, Debug)]
pub struct Arith {
    vars: Vec<Variable>,
    tableau: Tableau,
    forms: Map<Form, ArithVar>,
    trail: Vec<Undo>,
    levels: Vec<usize>,
    /// Basic variables that may be outside their bounds, smallest first.
    queue: BinaryHeap<Reverse<u32>>,
    pivots: u64,
    /// Pivots of one check, beyond the number of rows, before Bland's rule takes over.
    bland_after: u64,
    /// Calls of `check_integer` that found a fraction; decides between cutting and branching.
    fractional_calls: u64,
    cuts: u64,
    /// Boxes searched for an integral solution; `None` in a copy that is such a box.
    boxes: Option<u32>,
}

impl Arith {
    /// A solver without variables.
    pub fn new() -> Arith {
        Arith {
            vars: Vec::new(),
            tableau: Tableau::default(),
            forms: Map::default(),
            trail: Vec::new(),
            levels: Vec::new(),
            queue: BinaryHeap::new(),
            pivots: 0,
            bland_after: 100,
            fractional_calls: 0,
            cuts: 0,
            boxes: Some(0),
        }
    }

    /// A fresh integer unknown.
    pub fn new_var(&mut self) -> ArithVar {
        self.add_variable(Rat::ZERO, None)
    }

    fn add_variable(&mut self, value: Rat, form: Option<Form>) -> ArithVar {
        self.vars.push(Variable { value, lower: None, upper: None, form, queued: false });
        ArithVar(self.tableau.add_column())
    }

    /// A variable that stands for a linear form. Equal forms give the same variable, and a single unknown
    /// with coefficient 1 gives itself. Terms may repeat variables and may use variables of other forms.
    pub fn linear(&mut self, terms: &[(Int, ArithVar)]) -> ArithVar {
        let mut sum = Vec::with_capacity(terms.len());
        for (coeff, var) in terms {
            self.add_form(&mut sum, coeff, *var);
        }
        normalise(&mut sum);
        if let [(coeff, var)] = &sum[..]
            && coeff.is_one()
        {
            return *var;
        }
        if let Some(&var) = self.forms.get(&sum[..]) {
            return var;
        }
        let form: Form = sum.into();
        let value = form.iter().fold(Rat::ZERO, |v, (c, x)| v + Rat::from(c) * self.value(*x));
        let var = self.add_variable(value, Some(form.clone()));
        self.tableau.add_row(var.0, form.iter().map(|(c, x)| (c, x.0)));
        self.forms.insert(form, var);
        var
    }

    /// Adds `coeff * var`, expanded to unknowns, to a sum that is not normalised.
    fn add_form(&self, sum: &mut Vec<(Int, ArithVar)>, coeff: &Int, var: ArithVar) {
        match &self.vars[var.0 as usize].form {
            None => sum.push((coeff.clone(), var)),
            Some(form) => sum.extend(form.iter().map(|(c, x)| (c * coeff, *x))),
        }
    }

    /// The linear form over unknowns that a variable stands for, or `None` if it is an unknown.
    pub fn definition(&self, var: ArithVar) -> Option<&[(Int, ArithVar)]> {
        self.vars[var.0 as usize].form.as_deref()
    }

    /// Asserts `var <= bound` because of `reason`. A bound that is no tighter than the present one is
    /// ignored. On a conflict the bound is not recorded.
    pub fn assert_upper(&mut self, var: ArithVar, bound: &Int, reason: u32) -> Result<(), Conflict> {
        let v = &self.vars[var.0 as usize];
        if v.upper.as_ref().is_some_and(|b| b.value <= *bound) {
            return Ok(());
        }
        if v.lower.as_ref().is_some_and(|b| b.value > *bound) {
            let new = Premise { reason, upper: true, var, bound: bound.clone() };
            return Err(Conflict::of_bounds(vec![(Int::ONE, new), (Int::ONE, self.premise(var.0, false))]));
        }
        self.set_bound(var.0, true, Bound { value: bound.clone(), reason });
        Ok(())
    }

    /// Asserts `var >= bound` because of `reason`, as [`Arith::assert_upper`] does.
    pub fn assert_lower(&mut self, var: ArithVar, bound: &Int, reason: u32) -> Result<(), Conflict> {
        let v = &self.vars[var.0 as usize];
        if v.lower.as_ref().is_some_and(|b| b.value >= *bound) {
            return Ok(());
        }
        if v.upper.as_ref().is_some_and(|b| b.value < *bound) {
            let new = Premise { reason, upper: false, var, bound: bound.clone() };
            return Err(Conflict::of_bounds(vec![(Int::ONE, new), (Int::ONE, self.premise(var.0, true))]));
        }
        self.set_bound(var.0, false, Bound { value: bound.clone(), reason });
        Ok(())
    }

    fn set_bound(&mut self, var: u32, upper: bool, bound: Bound) {
        let v = &mut self.vars[var as usize];
        let outside = if upper { Ordering::Greater } else { Ordering::Less };
        let violated = v.value.cmp_int(&bound.value) == outside;
        let target = violated.then(|| Rat::from(&bound.value));
        let old = if upper { v.upper.replace(bound) } else { v.lower.replace(bound) };
        if !self.levels.is_empty() {
            self.trail.push(Undo { var, upper, old });
        }
        if let Some(target) = target {
            if self.tableau.home(var).is_some() {
                self.enqueue(var);
            } else {
                self.move_to(var, target);
            }
        }
    }

    fn enqueue(&mut self, var: u32) {
        let v = &mut self.vars[var as usize];
        if !v.queued {
            v.queued = true;
            self.queue.push(Reverse(var));
        }
    }

    /// The present bound of a variable as a premise; it must have one.
    fn premise(&self, var: u32, upper: bool) -> Premise {
        self.bound(ArithVar(var), upper).expect("a premise is an asserted bound")
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Closes the last `levels` levels: their bounds are undone. Panics if fewer are open.
    pub fn pop(&mut self, levels: usize) {
        let Some(keep) = self.levels.len().checked_sub(levels) else {
            panic!("pop closes open levels only");
        };
        let Some(&mark) = self.levels.get(keep) else { return };
        self.levels.truncate(keep);
        for undo in self.trail.drain(mark..).rev() {
            let v = &mut self.vars[undo.var as usize];
            *(if undo.upper { &mut v.upper } else { &mut v.lower }) = undo.old;
        }
    }

    /// How many levels are open.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The value of a variable. It satisfies all bounds after a successful [`Arith::check`], until the next
    /// bound is asserted.
    pub fn value(&self, var: ArithVar) -> &Rat {
        &self.vars[var.0 as usize].value
    }

    /// The present lower bound.
    #[cfg(feature = "testing")]
    pub fn lower(&self, var: ArithVar) -> Option<&Int> {
        self.vars[var.0 as usize].lower.as_ref().map(|b| &b.value)
    }

    /// The present upper bound.
    #[cfg(feature = "testing")]
    pub fn upper(&self, var: ArithVar) -> Option<&Int> {
        self.vars[var.0 as usize].upper.as_ref().map(|b| &b.value)
    }

    /// The present upper or lower bound with its reason.
    pub fn bound(&self, var: ArithVar, upper: bool) -> Option<Premise> {
        let v = &self.vars[var.0 as usize];
        let bound = if upper { &v.upper } else { &v.lower };
        bound.as_ref().map(|b| Premise { reason: b.reason, upper, var, bound: b.value.clone() })
    }

    /// The value that the asserted bounds of the variable leave, if it is only one.
    pub fn fixed_value(&self, var: ArithVar) -> Option<&Int> {
        self.vars[var.0 as usize].fixed()
    }

    /// Pairs of variables with equal present values, for model-based combination. A group of `n` equal
    /// variables gives `n - 1` pairs, all with its first variable in the order of `vars`; groups come in
    /// ascending order of value.
    #[cfg(feature = "testing")]
    pub fn equal_values(&self, vars: &[ArithVar]) -> Vec<(ArithVar, ArithVar)> {
        let mut order: Vec<usize> = (0..vars.len()).collect();
        order.sort_by(|&i, &j| self.value(vars[i]).cmp(self.value(vars[j])).then(i.cmp(&j)));
        let groups = order.chunk_by(|&i, &j| self.value(vars[i]) == self.value(vars[j]));
        let pairs = groups.flat_map(|group| group[1..].iter().map(|&j| (vars[group[0]], vars[j])));
        pairs.filter(|(a, b)| a != b).collect()
    }

    /// Pivots made so far.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Cuts handed out so far.
    #[cfg(feature = "testing")]
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// An estimate of the memory held.
    pub fn memory_bytes(&self) -> u64 {
        let forms = self.forms.keys().map(|f| 48 + size_of_val(&f[..]) as u64).sum::<u64>();
        let values = self.vars.iter().map(|v| v.value.heap_bytes()).sum::<u64>();
        let fixed = self.vars.capacity() * size_of::<Variable>() + self.trail.capacity() * size_of::<Undo>();
        self.tableau.memory_bytes() + forms + values + fixed as u64
    }
}

impl Default for Arith {
    fn default() -> Arith {
        Arith::new()
    }
}

impl Variable {
    fn fixed(&self) -> Option<&Int> {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) if l.value == u.value => Some(&l.value),
            _ => None,
        }
    }

    fn admits(&self, value: &Rat) -> bool {
        self.lower.as_ref().is_none_or(|b| value.cmp_int(&b.value) != Ordering::Less)
            && self.upper.as_ref().is_none_or(|b| value.cmp_int(&b.value) != Ordering::Greater)
    }

    fn below_lower(&self) -> bool {
        self.lower.as_ref().is_some_and(|b| self.value.cmp_int(&b.value) == Ordering::Less)
    }

    fn above_upper(&self) -> bool {
        self.upper.as_ref().is_some_and(|b| self.value.cmp_int(&b.value) == Ordering::Greater)
    }

    fn at_lower(&self) -> bool {
        self.lower.as_ref().is_some_and(|b| self.value.cmp_int(&b.value) == Ordering::Equal)
    }

    fn at_upper(&self) -> bool {
        self.upper.as_ref().is_some_and(|b| self.value.cmp_int(&b.value) == Ordering::Equal)
    }
}

impl Conflict {
    fn of_bounds(sum: Vec<(Int, Premise)>) -> Conflict {
        Conflict { derivation: Derivation::single(sum) }
    }
}
