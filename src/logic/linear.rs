//! Linear forms: `c1*t1 + ... + cn*tn + c`, sorted, without zero coefficients.
//!
//! Every term of sort Int has one ([`crate::logic::Terms::linear_form`]); comparisons are normalised
//! through it when they are built, so that `x < y + 1` and `not (y < x)` are the same atom.

use crate::logic::term::TermId;
use crate::util::num::Int;

/// A linear combination of terms that are not themselves sums.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LinearForm {
    /// Terms in ascending order with their coefficients, none of them zero.
    pub terms: Vec<(TermId, Int)>,
    /// The constant summand.
    pub constant: Int,
}

impl LinearForm {
    /// The form that is just a number.
    pub fn number(constant: Int) -> LinearForm {
        LinearForm { terms: Vec::new(), constant }
    }

    /// The form that is just a term.
    pub fn term(term: TermId) -> LinearForm {
        LinearForm { terms: vec![(term, Int::from(1))], constant: Int::from(0) }
    }

    /// Whether no term occurs in it.
    pub fn is_number(&self) -> bool {
        self.terms.is_empty()
    }

    /// `self + factor * other`.
    pub fn add_scaled(&self, other: &LinearForm, factor: &Int) -> LinearForm {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (term, coefficient) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(l), Some(r)) if l.0 == r.0 => {
                    let sum = (l.0, &l.1 + &(&r.1 * factor));
                    left.next();
                    right.next();
                    sum
                }
                (Some(l), r) if r.is_none_or(|r| l.0 < r.0) => {
                    let term = (l.0, l.1.clone());
                    left.next();
                    term
                }
                (_, Some(r)) => {
                    let term = (r.0, &r.1 * factor);
                    right.next();
                    term
                }
                (Some(_), None) => unreachable!("the arm above takes a left term without a right one"),
            };
            if !coefficient.is_zero() {
                terms.push((term, coefficient));
            }
        }
        LinearForm { terms, constant: &self.constant + &(&other.constant * factor) }
    }

    /// `factor * self`.
    pub fn scaled(&self, factor: &Int) -> LinearForm {
        LinearForm::default().add_scaled(self, factor)
    }

    /// The greatest common divisor of the coefficients of terms; 0 for a number.
    pub fn content(&self) -> Int {
        self.terms.iter().fold(Int::from(0), |g, (_, c)| g.gcd(c))
    }
}
