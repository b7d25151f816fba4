//! Branch and bound over [`Arith`], for callers that have constraints and no search of their own.
//!
//! Depth first, the lower side of a split before the upper one. The refutation is the search itself, in
//! the order in which it ran.

use super::{Arith, ArithVar, Conflict, Derivation, IntegerCheck};
use crate::util::limits::{Budget, Stop};
use crate::util::num::Int;

/// How a form relates to its constant.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// At most.
    Le,
    /// At least.
    Ge,
    /// Equal.
    Eq,
}

/// `terms relation bound`, over unknowns numbered from 0.
#[cfg(feature = "testing")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The linear form.
    pub terms: Vec<(Int, ArithVar)>,
    /// How it relates to the bound.
    pub relation: Relation,
    /// The constant.
    pub bound: Int,
}

/// One step of a refutation. With `n` constraints, the bounds of constraint `i` have the reason `i`, and
/// those that step `k` introduces have the reason `n + k`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefutationStep {
    /// The steps up to the end of this subtree assume `terms <= floor`; the next one `terms >= floor + 1`.
    Split {
        /// The form, over unknowns.
        terms: Vec<(Int, ArithVar)>,
        /// Where it is split.
        floor: Int,
    },
    /// Adds a consequence of the bounds in force.
    Cut {
        /// The form.
        terms: Vec<(Int, ArithVar)>,
        /// Its upper bound.
        bound: Int,
        /// Why it holds.
        derivation: Derivation,
    },
    /// The bounds in force contradict each other; ends a subtree.
    Conflict(Derivation),
}

/// The answer of [`solve_integers`].
#[cfg(feature = "testing")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntegerAnswer {
    /// Values of the unknowns, by number.
    Feasible(Vec<Int>),
    /// No integers satisfy the constraints: a tree in preorder.
    Infeasible(Vec<RefutationStep>),
    /// The limit on splits and cuts was reached.
    GaveUp,
}

/// Decides a conjunction of constraints over the integers with at most `max_nodes` splits and cuts.
#[cfg(feature = "testing")]
pub fn solve_integers(
    constraints: &[Constraint],
    max_nodes: usize,
    budget: &mut Budget,
) -> Result<IntegerAnswer, Stop> {
    let mut search =
        Search { arith: Arith::new(), base: constraints.len(), steps: Vec::new(), open: Vec::new() };
    let unknowns = constraints.iter().flat_map(|c| &c.terms).map(|(_, v)| v.0 + 1).max().unwrap_or(0);
    for _ in 0..unknowns {
        search.arith.new_var();
    }
    for (i, constraint) in constraints.iter().enumerate() {
        if let Err(conflict) = assert_constraint(&mut search.arith, constraint, i as u32) {
            return Ok(IntegerAnswer::Infeasible(vec![RefutationStep::Conflict(conflict.derivation)]));
        }
    }
    search.run(max_nodes, budget).map(|found| match found {
        Found::Integral => IntegerAnswer::Feasible(search.values(unknowns)),
        Found::Nothing => IntegerAnswer::Infeasible(search.steps),
        Found::Limit => IntegerAnswer::GaveUp,
    })
}

/// Searches the bounds that hold already; whether it ends with integral values for all variables.
pub(super) fn find_integers(
    arith: Arith,
    max_nodes: usize,
    budget: &mut Budget,
) -> Result<Option<Arith>, Stop> {
    let mut search = Search { arith, base: 0, steps: Vec::new(), open: Vec::new() };
    let found = search.run(max_nodes, budget)?;
    Ok(matches!(found, Found::Integral).then_some(search.arith))
}

#[cfg(feature = "testing")]
fn assert_constraint(arith: &mut Arith, constraint: &Constraint, reason: u32) -> Result<(), Conflict> {
    let var = arith.linear(&constraint.terms);
    if constraint.relation != Relation::Ge {
        arith.assert_upper(var, &constraint.bound, reason)?;
    }
    if constraint.relation != Relation::Le {
        arith.assert_lower(var, &constraint.bound, reason)?;
    }
    Ok(())
}

struct Search {
    arith: Arith,
    /// The number of constraints: where the reasons of steps start.
    base: usize,
    steps: Vec<RefutationStep>,
    /// The splits, by step, whose upper side has not been searched.
    open: Vec<(usize, ArithVar, Int, usize)>,
}

/// How a search ends.
enum Found {
    Integral,
    Nothing,
    Limit,
}

impl Search {
    fn run(&mut self, max_nodes: usize, budget: &mut Budget) -> Result<Found, Stop> {
        let mut nodes = 0;
        loop {
            let next = match self.arith.check(budget)? {
                Ok(()) => self.arith.check_integer(budget)?,
                Err(conflict) => IntegerCheck::Conflict(conflict),
            };
            if !matches!(next, IntegerCheck::Integral | IntegerCheck::Conflict(_)) {
                nodes += 1;
                if nodes > max_nodes {
                    return Ok(Found::Limit);
                }
            }
            let result = match next {
                IntegerCheck::Integral => return Ok(Found::Integral),
                IntegerCheck::Conflict(conflict) => Err(conflict),
                IntegerCheck::Branch { var, floor } => self.split(var, floor),
                IntegerCheck::Cut { terms, bound, derivation } => self.cut(terms, bound, derivation),
            };
            if let Err(conflict) = result
                && !self.backtrack(conflict)
            {
                return Ok(Found::Nothing);
            }
        }
    }

    fn reason(&self, step: usize) -> u32 {
        (self.base + step) as u32
    }

    #[cfg(feature = "testing")]
    fn values(&self, unknowns: u32) -> Vec<Int> {
        (0..unknowns).map(|v| self.arith.value(ArithVar(v)).floor()).collect()
    }

    fn split(&mut self, var: ArithVar, floor: Int) -> Result<(), Conflict> {
        let step = self.steps.len();
        self.open.push((step, var, floor.clone(), self.arith.level()));
        let terms = self.arith.definition(var).map_or_else(|| vec![(Int::ONE, var)], <[_]>::to_vec);
        self.steps.push(RefutationStep::Split { terms, floor: floor.clone() });
        self.arith.push();
        self.arith.assert_upper(var, &floor, self.reason(step))
    }

    fn cut(
        &mut self,
        terms: Vec<(Int, ArithVar)>,
        bound: Int,
        derivation: Derivation,
    ) -> Result<(), Conflict> {
        let reason = self.reason(self.steps.len());
        // A bound from below is one of the unknown itself, not of a form.
        let result = match &terms[..] {
            [(coeff, x)] if *coeff == Int::MINUS_ONE => self.arith.assert_lower(*x, &-&bound, reason),
            _ => {
                let var = self.arith.linear(&terms);
                self.arith.assert_upper(var, &bound, reason)
            }
        };
        self.steps.push(RefutationStep::Cut { terms, bound, derivation });
        result
    }

    /// Ends the subtrees that conflict; false if nothing is left to search.
    fn backtrack(&mut self, conflict: Conflict) -> bool {
        let mut conflict = conflict;
        loop {
            self.steps.push(RefutationStep::Conflict(conflict.derivation));
            let Some((step, var, floor, level)) = self.open.pop() else { return false };
            self.arith.pop(self.arith.level() - level);
            self.arith.push();
            match self.arith.assert_lower(var, &(floor + Int::ONE), self.reason(step)) {
                Ok(()) => return true,
                Err(next) => conflict = next,
            }
        }
    }
}
