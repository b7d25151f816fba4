//! The tables of one link field: points, facts, negated facts, successors, news.

use crate::engine::theory::egraph::{NONE, Node};
use crate::logic::FuncId;
use crate::rules::matcher::Point;
use std::collections::VecDeque;

/// Tables of one link field.
pub(super) struct Field {
    pub(super) func: FuncId,
    pub(super) active: bool,
    /// Point of a class, indexed by root node.
    pub(super) point_of: Vec<Point>,
    /// Root node of a point.
    pub(super) root_of: Vec<Node>,
    pub(super) live: Vec<Point>,
    /// Application node `f(x)` for a point of x.
    pub(super) successors: Vec<Node>,
    /// Row length of the tables.
    pub(super) capacity: usize,
    pub(super) facts: Vec<u32>,
    /// Index into `negatives`, plus one.
    pub(super) negated: Vec<u32>,
    pub(super) news: VecDeque<News>,
    /// Something changed since the last sweep.
    pub(super) swept: bool,
}

#[derive(Clone, Copy)]
pub(super) enum News {
    Point(Point),
    Successor(Point),
    Fact([Point; 3]),
}

impl Field {
    pub(super) fn new(func: FuncId) -> Field {
        Field {
            func,
            active: false,
            point_of: Vec::new(),
            root_of: Vec::new(),
            live: Vec::new(),
            successors: Vec::new(),
            capacity: 0,
            facts: Vec::new(),
            negated: Vec::new(),
            news: VecDeque::new(),
            swept: false,
        }
    }

    #[inline]
    pub(super) fn index(&self, [a, b, c]: [Point; 3]) -> usize {
        (a as usize * self.capacity + b as usize) * self.capacity + c as usize
    }

    pub(super) fn point(&self, root: Node) -> Option<Point> {
        match self.point_of.get(root as usize) {
            Some(&point) if point != NONE => Some(point),
            _ => None,
        }
    }

    /// Bytes of the tables that would be made for `n` points; none if they fit the present ones.
    pub(super) fn growth(&self, n: usize) -> Option<u64> {
        let row = roomy(n) as u64;
        (n > self.capacity).then(|| row.saturating_mul(row).saturating_mul(row).saturating_mul(8))
    }

    /// Bytes of the tables.
    pub(super) fn memory_bytes(&self) -> u64 {
        ((self.facts.len() + self.negated.len()) * 4 + self.news.capacity() * size_of::<News>()) as u64
    }

    /// Makes room for `n` points; the tables are laid out anew when they grow.
    pub(super) fn reserve(&mut self, n: usize) {
        if n <= self.capacity {
            return;
        }
        let (old, new) = (self.capacity, roomy(n));
        let mut facts = vec![NONE; new * new * new];
        let mut negated = vec![0; new * new * new];
        for a in 0..old {
            for b in 0..old {
                let (from, to) = ((a * old + b) * old, (a * new + b) * new);
                facts[to..to + old].copy_from_slice(&self.facts[from..from + old]);
                negated[to..to + old].copy_from_slice(&self.negated[from..from + old]);
            }
        }
        (self.capacity, self.facts, self.negated) = (new, facts, negated);
    }
}

/// The row length for `n` points. Small steps: the tables are cubic, and what is not used counts as well.
fn roomy(n: usize) -> usize {
    n + n / 16 + 7
}
