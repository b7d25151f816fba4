//! Formulas that cannot be encoded within the memory limit.
//!
//! A `distinct` that is false becomes the disjunction of the equalities of all pairs, in one go. Where these
//! alone are beyond the limit, the formula is kept but not encoded, and checks answer that memory is short.

use super::Solver;
use crate::logic::{Op, TermId, Terms};
use crate::util::hash::Set;

/// The terms, the literal and the clause entries of one equality.
const BYTES_PER_PAIR: u64 = 100;

impl Solver {
    /// Whether encoding a formula would take more memory than there may be.
    pub(super) fn is_too_large(&self, formula: TermId) -> bool {
        let Some(limit) = self.limits.memory else { return false };
        let excessive = |n: usize| (n as u64).pow(2) / 2 * BYTES_PER_PAIR > limit;
        excessive(self.terms.widest_distinct) && denies_distinct(&self.terms, formula, excessive)
    }
}

/// Whether a `distinct` of an excessive number of terms occurs with a negative sign.
fn denies_distinct(terms: &Terms, formula: TermId, excessive: impl Fn(usize) -> bool) -> bool {
    let mut open = vec![(formula, true)];
    let mut seen: Set<(TermId, bool)> = Set::default();
    while let Some((term, sign)) = open.pop() {
        if !seen.insert((term, sign)) {
            continue;
        }
        let children = terms.children(term).iter();
        match terms.op(term) {
            Op::Distinct if !sign && excessive(terms.children(term).len()) => return true,
            Op::Not => open.extend(children.map(|&c| (c, !sign))),
            Op::And | Op::Or | Op::Forall(_) => open.extend(children.map(|&c| (c, sign))),
            _ => open.extend(children.flat_map(|&c| [(c, true), (c, false)])),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::engine::solver::{Answer, Reason, Solver};
    use crate::util::limits::{Limits, Stop};

    #[test]
    fn all_pairs_of_a_denied_distinct_need_room() {
        let mut solver = Solver::new();
        solver.set_limits(Limits { memory: Some(20 << 20), ..Limits::default() });
        let t = solver.terms_mut();
        let sort = t.declare_sort("U").unwrap();
        let items: Vec<_> = (0..1000).map(|i| t.declare_const(&format!("c{i}"), sort).unwrap()).collect();
        let distinct = t.distinct(&items).unwrap();
        let denied = t.not(distinct).unwrap();
        solver.assert(distinct).unwrap();
        assert!(matches!(solver.check(), Answer::Sat(_)), "what is not denied needs no pairs");
        solver.push();
        solver.assert(denied).unwrap();
        assert!(matches!(solver.check(), Answer::Unknown(Reason::Stopped(Stop::Memory))));
        solver.pop(1);
        assert!(matches!(solver.check(), Answer::Sat(_)), "it is gone with its scope");
        let answer = solver.check_assuming(&[denied]).unwrap();
        assert!(matches!(answer, Answer::Unknown(Reason::Stopped(Stop::Memory))));
    }

    #[test]
    fn a_limit_ends_with_its_check() {
        let mut solver = Solver::new();
        let t = solver.terms_mut();
        let sort = t.declare_sort("U").unwrap();
        let items: Vec<_> = (0..30_000).map(|i| t.declare_const(&format!("c{i}"), sort).unwrap()).collect();
        let pairs: Vec<_> = items.windows(2).map(|pair| t.eq(pair[0], pair[1]).unwrap()).collect();
        solver.assert(pairs[0]).unwrap();
        let limit = solver.terms().memory_bytes() + (4 << 20);
        solver.set_limits(Limits { memory: Some(limit), ..Limits::default() });
        assert!(matches!(solver.check(), Answer::Sat(_)));
        solver.set_limits(Limits::default());
        pairs.into_iter().for_each(|pair| solver.assert(pair).unwrap());
        assert!(matches!(solver.check(), Answer::Sat(_)), "nothing is left of the limit");
    }
}
