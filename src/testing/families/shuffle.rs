//! The same formula with the children of every conjunction and disjunction in another order.
//!
//! A solver should not care; how much it does is a measure of luck in a figure (`benches/conditions.rs`).

use crate::logic::{TermId, Terms};
use crate::testing::metamorphic;
use crate::util::hash::Map;
use crate::util::rng::Rng;

/// The formula with the children of every `and` and `or` shuffled.
pub fn shuffled(terms: &mut Terms, root: TermId, rng: &mut Rng) -> TermId {
    metamorphic::shuffled(terms, root, rng, &mut Map::default())
}
