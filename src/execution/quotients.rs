//! Quotients and rests of sums that were divided on a path.
//!
//! The same sum divided again has the same quotient, and a symbol that was divided may be replaced by what it consists of. So
//! `(u << 4 | u >> 4) & 0xff` is a sum of two rests, and the solver need not find out that it is.

use super::value::{Linear, Symbol};
use crate::util::hash::Map;

/// What is known of divisions.
#[derive(Default)]
pub(super) struct Quotients {
    /// By sum and divisor.
    known: Map<(Vec<i128>, i128), (Linear, Linear)>,
    /// A divisor times the quotient of a symbol, and the rest.
    parts: Map<Symbol, Linear>,
}

/// A sum as numbers.
fn key_of(sum: &Linear) -> Vec<i128> {
    let terms = sum.terms.iter().flat_map(|(symbol, factor)| [i128::from(*symbol), *factor]);
    std::iter::once(sum.constant).chain(terms).collect()
}

impl Quotients {
    /// The quotient and rest of a sum that was divided before.
    pub(super) fn get(&self, sum: &Linear, by: i128) -> Option<(Linear, Linear)> {
        self.known.get(&(key_of(sum), by)).cloned()
    }

    /// Remembers them.
    pub(super) fn note(&mut self, sum: &Linear, by: i128, quotient: &Linear, rest: &Linear) {
        self.known.insert((key_of(sum), by), (quotient.clone(), rest.clone()));
        if let (0, [(symbol, 1)], Some(parts)) = (sum.constant, &sum.terms[..], rest.plus(by, quotient)) {
            self.parts.entry(*symbol).or_insert(parts);
        }
    }

    /// A sum in which quotients and rests stand for symbols that were divided, if there are any.
    pub(super) fn expanded(&self, sum: &Linear) -> Option<Linear> {
        let mut expanded = sum.clone();
        for (symbol, factor) in &sum.terms {
            if let Some(parts) = self.parts.get(symbol) {
                expanded = expanded.plus(-factor, &Linear::symbol(*symbol))?.plus(*factor, parts)?;
            }
        }
        (expanded != *sum).then_some(expanded)
    }
}
