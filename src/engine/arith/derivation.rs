//! Why a set of bounds has no integer solution, or why a cut follows from it.
//!
//! A [`Derivation`] is a list of cutting-plane steps. Every inequality is read as `form <= constant` over
//! the unknowns, a bound on a linear form standing for the bound on its expansion. A step adds up
//! non-negative multiples of asserted bounds and of earlier steps, divides by the gcd of the coefficients
//! of the unknowns and rounds the constant down. A checker needs nothing but that sentence.

use std::collections::BTreeSet;

use super::ArithVar;
use crate::util::num::Int;

/// A bound that the caller asserted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Premise {
    /// The tag the caller gave with the bound.
    pub reason: u32,
    /// `var <= bound` if set, `var >= bound` otherwise.
    pub upper: bool,
    /// The bounded variable; it may stand for a linear form.
    pub var: ArithVar,
    /// The bound.
    pub bound: Int,
}

/// One summand of a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// An asserted bound: `var <= bound`, or `-var <= -bound` for a lower one.
    Bound(Premise),
    /// The result of an earlier step, by its position.
    Step(usize),
}

/// A positive combination, followed by division with rounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutStep {
    /// The summands, each with a positive multiplier.
    pub sum: Vec<(Int, Source)>,
}

/// A list of steps. The last one is what is derived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The steps; each may use the ones before it.
    pub steps: Vec<CutStep>,
}

impl Derivation {
    /// A derivation of one step, from bounds alone.
    pub(super) fn single(sum: Vec<(Int, Premise)>) -> Derivation {
        Derivation { steps: vec![CutStep::of_bounds(sum)] }
    }

    /// Without the steps that the last one does not rest on.
    pub(super) fn trimmed(self) -> Derivation {
        let mut used = vec![false; self.steps.len()];
        if let Some(last) = used.last_mut() {
            *last = true;
        }
        for at in (0..self.steps.len()).rev() {
            let earlier = self.steps[at].sum.iter().filter_map(|(_, source)| match source {
                Source::Step(earlier) => Some(*earlier),
                Source::Bound(_) => None,
            });
            if used[at] {
                earlier.for_each(|earlier| used[earlier] = true);
            }
        }
        let mut place = vec![0; self.steps.len()];
        let mut steps: Vec<CutStep> = Vec::new();
        for (at, mut step) in self.steps.into_iter().enumerate().filter(|(at, _)| used[*at]) {
            for (_, source) in &mut step.sum {
                if let Source::Step(earlier) = source {
                    *earlier = place[*earlier];
                }
            }
            place[at] = steps.len();
            steps.push(step);
        }
        Derivation { steps }
    }

    /// Every asserted bound used.
    pub fn premises(&self) -> impl Iterator<Item = &Premise> {
        self.steps.iter().flat_map(|step| &step.sum).filter_map(|(_, source)| match source {
            Source::Bound(premise) => Some(premise),
            Source::Step(_) => None,
        })
    }

    /// The tags of all bounds used, each once, in ascending order.
    pub fn reasons(&self) -> Vec<u32> {
        self.premises().map(|p| p.reason).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

impl CutStep {
    pub(super) fn of_bounds(sum: Vec<(Int, Premise)>) -> CutStep {
        debug_assert!(sum.iter().all(|(k, _)| k.is_positive()), "multipliers are positive");
        CutStep { sum: sum.into_iter().map(|(k, p)| (k, Source::Bound(p))).collect() }
    }
}

/// Asserted bounds that no integers satisfy.
///
/// The last step of the derivation has no unknowns and a negative constant: `0 <= -1` up to a factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// How the contradiction follows. One step is a Farkas certificate: the bounds have no rational
    /// solution either.
    pub derivation: Derivation,
}

impl Conflict {
    /// The tags of all bounds used, each once, in ascending order.
    #[cfg(feature = "testing")]
    pub fn reasons(&self) -> Vec<u32> {
        self.derivation.reasons()
    }
}

/// Sorts by variable, adds up equal variables, drops zeros.
pub(super) fn normalise(terms: &mut Vec<(Int, ArithVar)>) {
    // Stable and already sorted in the common case.
    terms.sort_by_key(|(_, v)| *v);
    terms.dedup_by(|next, kept| {
        let same = next.1 == kept.1;
        if same {
            kept.0 += &next.0;
        }
        same
    });
    terms.retain(|(c, _)| !c.is_zero());
}
