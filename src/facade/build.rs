//! The builders of terms. What each means is said by [`crate::logic::build`], which it calls.

use super::solver::{Function, Solver, Term};

impl Solver {
    /// `true` or `false`.
    #[must_use]
    pub fn bool(&self, value: bool) -> Term {
        self.build([], |terms, []| Ok(terms.bool(value)))
    }

    /// Negation.
    #[must_use]
    pub fn not(&self, formula: Term) -> Term {
        self.build([formula], |terms, [formula]| terms.not(formula))
    }

    /// Conjunction of any number of formulas.
    #[must_use]
    pub fn and(&self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.build_many(formulas, |terms, formulas| terms.and(formulas))
    }

    /// Disjunction of any number of formulas.
    #[must_use]
    pub fn or(&self, formulas: impl IntoIterator<Item = Term>) -> Term {
        self.build_many(formulas, |terms, formulas| terms.or(formulas))
    }

    /// `premise => conclusion`.
    #[must_use]
    pub fn implies(&self, premise: Term, conclusion: Term) -> Term {
        self.build([premise, conclusion], |terms, [premise, conclusion]| terms.implies(premise, conclusion))
    }

    /// Exclusive or.
    #[must_use]
    pub fn xor(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.xor(left, right))
    }

    /// Equality of two terms of one sort, formulas included.
    #[must_use]
    pub fn eq(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.eq(left, right))
    }

    /// All terms are different.
    #[must_use]
    pub fn distinct(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        self.build_many(terms, |terms, items| terms.distinct(items))
    }

    /// `if condition then left else right`, of any sort.
    #[must_use]
    pub fn ite(&self, condition: Term, left: Term, right: Term) -> Term {
        self.build([condition, left, right], |terms, [condition, left, right]| {
            terms.ite(condition, left, right)
        })
    }

    /// A symbol applied to arguments.
    #[must_use]
    pub fn app(&self, function: Function, arguments: impl IntoIterator<Item = Term>) -> Term {
        self.build_with(function, arguments, |terms, function, arguments| terms.app(function, arguments))
    }

    /// `to` is reached from `from` by zero or more steps along the link field.
    #[must_use]
    pub fn reach(&self, field: Function, from: Term, to: Term) -> Term {
        self.between(field, from, to, to)
    }

    /// `via` lies on the simple path along the link field from `from` to `to`.
    #[must_use]
    pub fn between(&self, field: Function, from: Term, via: Term, to: Term) -> Term {
        self.build_with(field, [from, via, to], |terms, field, path| {
            terms.between(field, path[0], path[1], path[2])
        })
    }

    /// For all values of the variables, made by [`Solver::variable`], the body holds.
    #[must_use]
    pub fn forall(&self, variables: impl IntoIterator<Item = Term>, body: Term) -> Term {
        let parts = [body].into_iter().chain(variables);
        self.build_many(parts, |terms, parts| terms.forall(&parts[1..], parts[0]))
    }

    /// For some values of the variables, made by [`Solver::variable`], the body holds.
    #[must_use]
    pub fn exists(&self, variables: impl IntoIterator<Item = Term>, body: Term) -> Term {
        let parts = [body].into_iter().chain(variables);
        self.build_many(parts, |terms, parts| terms.exists(&parts[1..], parts[0]))
    }

    /// Sum of any number of integers.
    #[must_use]
    pub fn add(&self, summands: impl IntoIterator<Item = Term>) -> Term {
        self.build_many(summands, |terms, summands| terms.add(summands))
    }

    /// `left - right`.
    #[must_use]
    pub fn sub(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.sub(left, right))
    }

    /// `left * right`, one of which must be a number.
    #[must_use]
    pub fn mul(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.mul(left, right))
    }

    /// `left <= right`.
    #[must_use]
    pub fn le(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.le(left, right))
    }

    /// `left < right`.
    #[must_use]
    pub fn lt(&self, left: Term, right: Term) -> Term {
        self.build([left, right], |terms, [left, right]| terms.lt(left, right))
    }
}
