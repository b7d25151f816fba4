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
    /// The first live point not below `from` that makes a known fact of this row.
    fn next_in(&self, row: Row, from: Point) -> Option<Point> {
        let known = |&point: &Point| {
            let [a, b, c] = row.fact(point);
            self.between(a, b, c)
        };
        (0..self.point_count()).map(|at| self.point(at)).filter(|&p| p >= from).filter(known).min()
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

#[allow(clippy::all, reason = "generated: one test per step of a plan")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/matchers.rs"));
}

pub use generated::{acyclic, lisbq};
pub use lisbq::{
    on_fact, on_point, on_successor, split_on_apart, split_on_denied, split_on_fact, split_on_point,
    split_on_successor, sweep,
};
