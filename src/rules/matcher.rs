//! The compiled rules, and what they ask of the context they run on.
//!
//! Points are congruence classes. The caller keeps a queue of news and calls `on_point`, `on_fact` or
//! `on_successor` once for each, *after* the context knows it; every conclusion the rules draw from it
//! and older knowledge comes back through [`Context::conclude`]. Rules with several alternatives are
//! never applied; [`lisbq::sweep`] reports the matches that are still open, the `split_on` functions those
//! that have to do with something new.
//!
//! Contract of the caller:
//! - `conclude(Between)` may add the fact at once or queue it; `conclude(Equal)` only queues, since
//!   points stay as they are while a matcher runs.
//! - After two points were merged, every fact and successor that reads differently is news again.
//! - The point of null, where there is one, exists before the first news.
//!
//! A matcher skips instances whose conclusions come from their premises by other rules anyway (see
//! [`super::redundant`]), hence only the closure is complete, not the list of instances.

use super::table::RuleId;

/// A congruence class of terms.
pub type Point = u32;

/// A conclusion over points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ground {
    /// The fact R(a, b, c).
    Between(Point, Point, Point),
    /// The points are the same.
    Equal(Point, Point),
}

/// Known facts that differ in one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// R(_, b, c).
    Starts(Point, Point),
    /// R(a, _, c).
    Middles(Point, Point),
    /// R(a, b, _).
    Ends(Point, Point),
    /// R(a, y, y) for some y.
    Reached(Point),
}

impl Row {
    /// The fact that a point makes.
    pub fn fact(self, point: Point) -> [Point; 3] {
        match self {
            Row::Starts(b, c) => [point, b, c],
            Row::Middles(a, c) => [a, point, c],
            Row::Ends(a, b) => [a, b, point],
            Row::Reached(a) => [a, point, point],
        }
    }
}

/// What the matchers know and where their conclusions go.
pub trait Context {
    /// Number of live points.
    fn point_count(&self) -> usize;
    /// The live point at a position below [`Context::point_count`].
    fn point(&self, position: usize) -> Point;
    /// Whether R(a, b, c) is known.
    fn between(&self, a: Point, b: Point, c: Point) -> bool;
    /// How many words of 64 bits hold a bit for every point.
    fn word_count(&self) -> usize {
        let last = (0..self.point_count()).map(|at| self.point(at)).max();
        last.map_or(0, |last| last as usize / 64 + 1)
    }
    /// The live points that make known facts of this row, as bits: those from `64 * word` on.
    fn word(&self, row: Row, word: usize) -> u64 {
        let points = (0..self.point_count()).map(|at| self.point(at));
        let known = |&point: &Point| {
            let [a, b, c] = row.fact(point);
            point as usize / 64 == word && self.between(a, b, c)
        };
        points.filter(known).fold(0, |bits, point| bits | 1 << (point % 64))
    }
    /// The point of f(a), if such a term occurs.
    fn successor(&self, a: Point) -> Option<Point>;
    /// The point of null, for theories with null.
    fn null(&self) -> Option<Point> {
        None
    }
    /// A rule with one alternative matches; its conclusion `head` is not known yet. The binding is in
    /// the order of the rule's variables.
    fn conclude(&mut self, rule: RuleId, binding: &[Point], head: Ground);
    /// A rule with several alternatives matches, and none of them holds.
    fn alternatives(&mut self, rule: RuleId, binding: &[Point]);
}

/// Takes the first point from bits that begin with point `64 * word`; some bit must be set.
#[inline(always)]
fn first(bits: &mut u64, word: usize) -> Point {
    let point = word as Point * 64 + bits.trailing_zeros();
    *bits &= *bits - 1;
    point
}

/// The bits of the points after this one, in a word from its own on.
#[inline(always)]
fn above(point: Point, word: usize) -> u64 {
    if word == point as usize / 64 { (u64::MAX << (point % 64)) & !(1 << (point % 64)) } else { u64::MAX }
}

#[allow(clippy::all, reason = "generated: one test per step of a plan")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/matchers.rs"));
}

pub use generated::{acyclic, lisbq};
pub use lisbq::{
    may_split, on_fact, on_point, on_successor, split_on_apart, split_on_denied, split_on_fact,
    split_on_point, split_on_successor, sweep,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_taken_in_order_from_a_point_on() {
        for point in [0, 1, 62, 63, 64, 100, 127, 128] {
            let mut taken = Vec::new();
            for word in point as usize / 64..3 {
                let mut bits = above(point, word);
                while bits != 0 {
                    taken.push(first(&mut bits, word));
                }
            }
            assert!(taken.into_iter().eq(point + 1..192), "above {point}");
        }
    }
}
