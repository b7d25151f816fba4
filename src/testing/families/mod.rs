//! Formula families that grow with one number: what the benches of growth and comparison run on.
//!
//! Each [`Family`] makes an [`Instance`] of any size, together with the answer that is right for it by
//! construction. An instance prints itself twice: in our dialect ([`Instance::dialect`]), and with
//! reachability as an uninterpreted predicate under triggered axioms ([`Instance::axiomatised`]), which is
//! what other solvers read.
//!
//! Deliberately missing: random formulas; those are in [`crate::testing::formulas`].

mod draft;
mod ground;
mod heaps;
mod orders;
mod shuffle;
mod stress;

pub use shuffle::shuffled;

use crate::frontend::smtlib::Status;
use crate::logic::axiomatise;
use crate::testing::as_test::{script, with_status};
use crate::testing::formulas::Problem;

/// A problem whose answer is known.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The formulas.
    pub problem: Problem,
    /// The right answer.
    pub status: Status,
}

impl Instance {
    /// The script in our dialect.
    pub fn dialect(&self) -> String {
        script(&self.problem.terms, &self.problem.formulas, Some(self.status))
    }

    /// The script with reachability axiomatised, for solvers that do not know it.
    pub fn axiomatised(&self) -> String {
        axiomatised(&self.problem, Some(self.status))
    }
}

/// A problem as a script without `reach` and `between`.
pub fn axiomatised(problem: &Problem, status: Option<Status>) -> String {
    with_status(status, &axiomatise::axiomatised(&problem.terms, &problem.formulas))
}

/// Instances of all sizes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name, for tables.
    pub name: &'static str,
    /// Sizes that are worth a measurement, ascending.
    pub sizes: &'static [usize],
    /// The instance of a size; sizes from 1 on.
    pub make: fn(usize) -> Instance,
}

/// All families.
pub const ALL: &[Family] = &[
    Family { name: "chain", sizes: &[6, 12, 24, 48, 96], make: heaps::chain },
    Family { name: "unordered", sizes: &[3, 6, 12, 24, 48], make: heaps::unordered },
    Family { name: "writes-valid", sizes: &[1, 2, 3, 4, 6, 8], make: heaps::writes_valid },
    Family { name: "writes-wrong", sizes: &[1, 2, 3, 4, 6, 8], make: heaps::writes_wrong },
    Family { name: "segments", sizes: &[2, 4, 8, 16, 32], make: heaps::segments },
    Family { name: "order-cycle", sizes: &[4, 8, 16, 32], make: orders::cycle },
    Family { name: "order-open", sizes: &[4, 8, 16, 32], make: orders::open },
    Family { name: "forest-open", sizes: &[4, 8, 16, 32], make: orders::forest },
    Family { name: "equal-chain", sizes: &[50, 100, 200, 400, 800], make: ground::equal_chain },
    Family { name: "equal-power", sizes: &[50, 100, 200, 400, 800], make: ground::equal_power },
    Family { name: "diamonds", sizes: &[12, 50, 200, 800], make: ground::diamonds },
    Family { name: "difference", sizes: &[10, 20, 40, 80, 160], make: ground::difference },
    Family { name: "knapsack-odd", sizes: &[5, 10, 20, 40], make: ground::knapsack_odd },
    Family { name: "knapsack-even", sizes: &[5, 10, 20, 40], make: ground::knapsack_even },
];

/// Families that are too large or too hard on purpose, for measuring limits. Not in [`ALL`]: nothing is
/// learnt from how they grow.
pub const STRESS: &[Family] = &[
    Family { name: "distinct", sizes: &[500, 5_000], make: stress::distinct },
    Family { name: "distinct-merged", sizes: &[500, 5_000], make: stress::distinct_merged },
    Family { name: "distinct-ints", sizes: &[20, 200], make: stress::distinct_ints },
    Family { name: "pigeons", sizes: &[12, 40], make: stress::pigeons },
    Family { name: "deep", sizes: &[1_000, 100_000], make: stress::deep },
    Family { name: "deep-ite", sizes: &[1_000, 20_000], make: stress::deep_ite },
    Family { name: "matching", sizes: &[5, 50, 500], make: stress::matching },
    Family { name: "ints", sizes: &[5, 20, 60], make: stress::ints },
    Family { name: "colouring", sizes: &[30, 200], make: stress::colouring },
    Family { name: "wide", sizes: &[20, 200], make: stress::wide },
];

/// The family of this name.
pub fn find(name: &str) -> Option<&'static Family> {
    ALL.iter().chain(STRESS).find(|family| family.name == name)
}

#[cfg(test)]
mod tests;
