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

    /// The sum of forms, in time for sorting their terms.
    pub fn sum(forms: &[LinearForm]) -> LinearForm {
        let mut constant = Int::from(0);
        let mut all: Vec<(TermId, &Int)> = Vec::with_capacity(forms.iter().map(|f| f.terms.len()).sum());
        for form in forms {
            constant = &constant + &form.constant;
            all.extend(form.terms.iter().map(|(term, coefficient)| (*term, coefficient)));
        }
        all.sort_by_key(|(term, _)| *term);
        let mut terms: Vec<(TermId, Int)> = Vec::with_capacity(all.len());
        for (term, coefficient) in all {
            match terms.last_mut() {
                Some((last, sum)) if *last == term => *sum = &*sum + coefficient,
                _ => terms.push((term, coefficient.clone())),
            }
        }
        terms.retain(|(_, coefficient)| !coefficient.is_zero());
        LinearForm { terms, constant }
    }

    /// Bytes that the numbers hold beyond machine words.
    pub fn number_bytes(&self) -> u64 {
        let coefficients = self.terms.iter().map(|(_, c)| c.heap_bytes());
        coefficients.sum::<u64>() + self.constant.heap_bytes()
    }

    /// At most so many bytes the numbers of `factor * self` hold beyond machine words.
    pub fn scaled_bytes(&self, factor: &Int) -> u64 {
        let each = factor.heap_bytes();
        self.number_bytes().saturating_add((self.terms.len() as u64 + 1).saturating_mul(each))
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
