//! The tables of one link field: points, facts, negated facts, successors, news.

use super::rows::{Rows, enlarged};
use crate::engine::theory::egraph::{EGraph, NONE, Node};
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
    /// Index of an entry, plus one: memory that is all zeros costs nothing until it is written to.
    facts: Vec<u32>,
    /// Index into `negatives`, plus one.
    pub(super) negated: Vec<u32>,
    /// The facts as sets.
    pub(super) rows: Rows,
    pub(super) news: VecDeque<News>,
    /// Names the points and facts of this moment.
    pub(super) stamp: u64,
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
            rows: Rows::default(),
            news: VecDeque::new(),
            stamp: 0,
        }
    }

    #[inline]
    pub(super) fn index(&self, [a, b, c]: [Point; 3]) -> usize {
        (a as usize * self.capacity + b as usize) * self.capacity + c as usize
    }

    /// The entry of a fact, or [`NONE`].
    #[inline]
    pub(super) fn fact(&self, index: usize) -> u32 {
        self.facts[index].wrapping_sub(1)
    }

    /// The places with a fact or a negated one that a point is part of, the others being live points. Most are
    /// empty, so whole rows are passed over.
    pub(super) fn places_of(&self, point: Point, live: &[Point], out: &mut Vec<[Point; 3]>) {
        let n = self.capacity;
        let mut row = |a: Point, b: Point| {
            let first = self.index([a, b, 0]);
            let (facts, negated) = (&self.facts[first..first + n], &self.negated[first..first + n]);
            // Without an early end, so that several entries are looked at in one instruction.
            let any = |row: &[u32]| row.iter().fold(0, |all, entry| all | entry);
            if any(facts) | any(negated) == 0 {
                return;
            }
            for &c in live.iter().chain([&point]) {
                if facts[c as usize] | negated[c as usize] != 0 {
                    out.push([a, b, c]);
                }
            }
        };
        row(point, point);
        for &x in live {
            row(point, x);
            row(x, point);
        }
        for &x in live {
            let block = self.index([x, 0, 0])..self.index([x + 1, 0, 0]);
            let (facts, negated) = (&self.facts[block.clone()], &self.negated[block]);
            for &y in live {
                let at = y as usize * n + point as usize;
                if facts[at] | negated[at] != 0 {
                    out.push([x, y, point]);
                }
            }
        }
    }

    /// Sets the entry of a fact; [`NONE`] takes it away.
    #[inline]
    pub(super) fn set_fact(&mut self, at: [Point; 3], entry: u32) {
        let index = self.index(at);
        self.facts[index] = entry.wrapping_add(1);
        self.rows.set(at, entry != NONE);
    }

    pub(super) fn point(&self, root: Node) -> Option<Point> {
        match self.point_of.get(root as usize) {
            Some(&point) if point != NONE => Some(point),
            _ => None,
        }
    }

    /// How many points there are when these applications and their arguments are.
    pub(super) fn n_points_with(&self, egraph: &EGraph, applications: &[Node]) -> usize {
        let roots = applications.iter().flat_map(|&n| [egraph.root(n), egraph.root(egraph.args(n)[0])]);
        let mut new: Vec<Node> = roots.filter(|&root| self.point(root).is_none()).collect();
        new.sort_unstable();
        new.dedup();
        self.root_of.len() + new.len()
    }

    /// Bytes of the tables that would be made for `n` points; none if they fit the present ones.
    pub(super) fn growth(&self, n: usize) -> Option<u64> {
        let row = roomy(n) as u64;
        let cube = row.saturating_mul(row).saturating_mul(row).saturating_mul(8);
        (n > self.capacity).then(|| cube.saturating_add(Rows::bytes(roomy(n))))
    }

    /// Bytes of the tables.
    pub(super) fn memory_bytes(&self) -> u64 {
        let tables = (self.facts.len() + self.negated.len()) * 4 + self.news.capacity() * size_of::<News>();
        tables as u64 + Rows::bytes(self.capacity)
    }

    /// Makes room for `n` points; the tables are laid out anew when they grow.
    pub(super) fn reserve(&mut self, n: usize) {
        if n <= self.capacity {
            return;
        }
        let (old, new) = (self.capacity, roomy(n));
        let used = old.min(self.root_of.len());
        for table in [&mut self.facts, &mut self.negated] {
            *table = enlarged(table, used, (old, old), (new, new));
        }
        self.rows.reserve(new, used);
        self.capacity = new;
    }
}

/// The row length for `n` points. Small steps: the tables are cubic, and what is not used counts as well.
fn roomy(n: usize) -> usize {
    n + n / 16 + 7
}
