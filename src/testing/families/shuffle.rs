//! The same formula with the children of every conjunction and disjunction in another order.
//!
//! A solver should not care; how much it does is a measure of luck in a figure (`benches/conditions.rs`).

use crate::logic::{Op, TermId, Terms};
use crate::util::hash::Map;
use crate::util::rng::Rng;

/// The formula with the children of every `and` and `or` shuffled.
pub fn shuffled(terms: &mut Terms, root: TermId, rng: &mut Rng) -> TermId {
    let mut done: Map<TermId, TermId> = Map::default();
    let mut stack = vec![(root, false)];
    while let Some((term, children_done)) = stack.pop() {
        if done.contains_key(&term) {
            continue;
        }
        if !children_done {
            stack.push((term, true));
            stack.extend(terms.children(term).iter().map(|&c| (c, false)));
            continue;
        }
        let mut kids: Vec<TermId> = terms.children(term).iter().map(|c| done[c]).collect();
        if matches!(terms.op(term), Op::And | Op::Or) {
            rng.shuffle(&mut kids);
        }
        let result = terms.rebuild(term, &kids);
        done.insert(term, result);
    }
    done[&root]
}
