//! Shape graphs: three-valued structures that stand for sets of concrete heaps.
//!
//! A node stands for one cell, a summary node for one or more. Unary predicates are [`Truths`] at the positions
//! of the [`Class`]; a pointer field has the targets it may have, among them null and *wild*: a value that was
//! never written, hence arbitrary. Variables are treated alike. Wild values are not edges: "reached from" and
//! "on a cycle" speak of written fields, and reading a wild one gives a wild pointer.
//!
//! A graph stands for the cells that tracked pointers reach; what they do not reach any more is forgotten.

use super::class::Class;
use super::range::Range;
use super::truths::{Kleene, Truths};
use crate::program::{StructId, VarId};

/// Most nodes of a graph; a command adds a few, so splitting stops earlier.
pub const NODES: usize = 64;

/// One or more cells of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// Kind.
    pub of: StructId,
    /// Unary predicates.
    pub truths: Truths,
    /// May stand for several cells.
    pub summary: bool,
}

/// What a pointer field of a node may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Nodes it may point to.
    pub can: u64,
    /// The node it points to for certain (at most one bit).
    pub must: u64,
    /// May be null.
    pub null: bool,
    /// May be wild.
    pub wild: bool,
}

/// What is known of an integer variable that was loaded from a tested field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Known {
    /// In this range.
    Is(Range),
    /// In none of these.
    Not(Vec<Range>),
}

/// A shape graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Graph {
    /// At most [`NODES`].
    pub nodes: Vec<Node>,
    /// By node and position of the field.
    pub edges: Vec<Edge>,
    /// Variables that may be null, by position.
    pub null: u64,
    /// Variables that may be wild, by position.
    pub wild: u64,
    /// Integer variables, ascending.
    pub values: Vec<(VarId, Known)>,
    /// Among the cells that were forgotten may be allocated ones; kept only if the class asks for it.
    pub leaked: bool,
}

/// Where a pointer leads after focusing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Null.
    Null,
    /// An arbitrary value.
    Wild,
    /// A node that stands for exactly one cell.
    Node(usize),
}

impl Graph {
    /// No cells, all variables null.
    #[must_use]
    pub fn empty(class: &Class) -> Graph {
        let null = mask(class.vars.len());
        Graph { nodes: Vec::new(), edges: Vec::new(), null, wild: 0, values: Vec::new(), leaked: false }
    }

    /// All heaps with at least one cell of each kind given.
    #[must_use]
    pub fn top(class: &Class, kinds: &[StructId]) -> Graph {
        let all = mask(class.vars.len());
        let mut graph = Graph { null: all, wild: all, leaked: class.leaks, ..Graph::empty(class) };
        for &of in kinds {
            let mut truths = Truths { can: class.all(), cannot: class.all() };
            for x in (0..class.vars.len()).filter(|&x| class.pointees[x] != of) {
                truths.set(class.points(x), Kleene::False);
            }
            graph.nodes.push(Node { of, truths, summary: true });
            for field in 0..class.fields.len() {
                let can = kinds.iter().enumerate().filter(|(_, k)| **k == class.targets[field]);
                let can = can.fold(0u64, |m, (i, _)| m | 1 << i);
                let edge = Edge { can, must: 0, null: true, wild: true };
                graph.edges.push(if class.owners[field] == of { edge } else { Edge::default() });
            }
        }
        graph
    }

    /// The edges of a node's field.
    #[must_use]
    pub fn edge(&self, class: &Class, node: usize, field: usize) -> Edge {
        self.edges[node * class.fields.len() + field]
    }

    /// The same, to write.
    pub fn edge_mut(&mut self, class: &Class, node: usize, field: usize) -> &mut Edge {
        &mut self.edges[node * class.fields.len() + field]
    }

    /// A predicate of a node.
    #[must_use]
    pub fn get(&self, node: usize, predicate: usize) -> Kleene {
        self.nodes[node].truths.get(predicate)
    }

    /// Adds a single cell with the given truths, its fields wild.
    pub fn add(&mut self, class: &Class, of: StructId, truths: Truths) -> usize {
        self.nodes.push(Node { of, truths, summary: false });
        for &owner in &class.owners {
            self.edges.push(Edge { wild: owner == of, ..Edge::default() });
        }
        self.nodes.len() - 1
    }

    /// Points the variable to exactly this.
    pub fn point(&mut self, class: &Class, x: usize, target: Target) {
        let bit = 1u64 << x;
        self.null = if target == Target::Null { self.null | bit } else { self.null & !bit };
        self.wild = if target == Target::Wild { self.wild | bit } else { self.wild & !bit };
        for i in 0..self.nodes.len() {
            self.nodes[i].truths.set(class.points(x), Kleene::from(target == Target::Node(i)));
        }
    }

    /// The variable may have any value from now on.
    pub fn forget(&mut self, class: &Class, x: usize) {
        self.point(class, x, Target::Wild);
        if class.level >= 1 {
            for link in 0..class.links.len() {
                self.nodes.iter_mut().for_each(|n| n.truths.set(class.reached(x, link), Kleene::False));
            }
        }
    }

    /// Removes the nodes outside the mask.
    pub fn retain(&mut self, class: &Class, keep: u64) {
        if keep == mask(self.nodes.len()) {
            return;
        }
        let old: Vec<usize> = (0..self.nodes.len()).filter(|i| keep >> i & 1 == 1).collect();
        self.select(class, &old);
    }

    /// Keeps the listed nodes, in that order.
    fn select(&mut self, class: &Class, order: &[usize]) {
        let width = class.fields.len();
        let moved =
            |bits: u64| order.iter().enumerate().fold(0u64, |m, (new, &old)| m | (bits >> old & 1) << new);
        let mut edges = Vec::with_capacity(order.len() * width);
        for &old in order {
            for e in &self.edges[old * width..(old + 1) * width] {
                edges.push(Edge { can: moved(e.can), must: moved(e.must), ..*e });
            }
        }
        self.nodes = order.iter().map(|&old| self.nodes[old]).collect();
        self.edges = edges;
    }

    /// Drops what no tracked pointer may reach.
    pub fn collect(&mut self, class: &Class) {
        let pointed = |n: &Node| (0..class.vars.len()).any(|x| n.truths.get(class.points(x)).may());
        let mut seen = 0u64;
        let mut open: Vec<usize> = (0..self.nodes.len()).filter(|&i| pointed(&self.nodes[i])).collect();
        while let Some(i) = open.pop() {
            if seen >> i & 1 == 0 {
                seen |= 1 << i;
                for k in 0..class.fields.len() {
                    let next = self.edge(class, i, k).can & !seen;
                    open.extend(bits(next));
                }
            }
        }
        let dropped = mask(self.nodes.len()) & !seen;
        if class.level >= 2 {
            self.lose_predecessors(class, dropped);
        }
        self.leaked |= class.leaks && bits(dropped).any(|i| self.get(i, class.live()).may());
        self.retain(class, seen);
    }

    /// Whether an allocated cell may be neither named nor reached by one of these variables.
    #[must_use]
    pub fn may_leak(&self, class: &Class, roots: &[usize]) -> bool {
        // What is reached through a cell that was freed counts as lost; `free` clears the fields where it knows the cell.
        let leads = |i: usize| (0..class.fields.len()).any(|f| self.edge(class, i, f).can != 0);
        let freed = (0..self.nodes.len()).any(|i| self.get(i, class.live()) != Kleene::True && leads(i));
        let held = |i: usize, x: usize| {
            let reached = |l| class.level >= 1 && self.get(i, class.reached(x, l)) == Kleene::True;
            self.get(i, class.points(x)) == Kleene::True || !freed && (0..class.links.len()).any(reached)
        };
        let lost = |i: usize| self.get(i, class.live()).may() && !roots.iter().any(|&x| held(i, x));
        self.leaked || (0..self.nodes.len()).any(lost)
    }

    /// "Shared" counts the cells of the graph: what a dropped one pointed to may be shared no longer.
    fn lose_predecessors(&mut self, class: &Class, dropped: u64) {
        for node in bits(dropped) {
            for (link, &field) in class.links.iter().enumerate() {
                let s = class.shared(link);
                for target in bits(self.edge(class, node, field).can) {
                    if self.get(target, s) == Kleene::True {
                        self.nodes[target].truths.set(s, Kleene::Half);
                    }
                }
            }
            let fields = if class.level >= 3 { class.fields.len() } else { 0 };
            for field in 0..fields {
                for target in bits(self.edge(class, node, field).can) {
                    if self.get(target, class.crowded()) == Kleene::True {
                        self.nodes[target].truths.set(class.crowded(), Kleene::Half);
                    }
                    let kept = (0..self.nodes.len()).filter(|v| dropped >> v & 1 == 0);
                    let certain =
                        |v: usize| (0..fields).any(|f| self.edge(class, v, f).must >> target & 1 == 1);
                    let entered = self.get(target, class.entered());
                    if entered == Kleene::True && !kept.into_iter().any(certain) {
                        self.nodes[target].truths.set(class.entered(), Kleene::Half);
                    }
                }
            }
        }
    }

    /// What a node is merged by.
    fn name(&self, class: &Class, node: usize) -> (StructId, Truths, u64) {
        let Node { of, truths, .. } = self.nodes[node];
        let mut ends = 0u64;
        if class.level >= 4 {
            for &field in &class.links {
                let Edge { can, null, wild, .. } = self.edge(class, node, field);
                let end = match (null, can != 0 || wild) {
                    (true, false) => 1,
                    (false, _) => 2,
                    (true, true) => 0,
                };
                ends = ends << 2 | end;
            }
        }
        (of, truths.restrict(class.naming), ends)
    }

    /// Canonical abstraction: merges nodes of one name and sorts them.
    pub fn blur(&mut self, class: &Class) {
        self.collect(class);
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&i| self.name(class, i));
        self.select(class, &order);
        let mut group = vec![0usize; self.nodes.len()];
        for i in 1..self.nodes.len() {
            group[i] = group[i - 1] + usize::from(self.name(class, i) != self.name(class, i - 1));
        }
        if group.last().is_none_or(|&g| g + 1 == group.len()) {
            return;
        }
        self.merge(class, &group);
    }

    /// Merges the nodes of each group; groups are numbered in ascending order.
    fn merge(&mut self, class: &Class, group: &[usize]) {
        let width = class.fields.len();
        let moved = |bits_: u64| bits(bits_).fold(0u64, |m, i| m | 1 << group[i]);
        let mut sizes = vec![0usize; group.last().map_or(0, |g| g + 1)];
        group.iter().for_each(|&g| sizes[g] += 1);
        // A certain edge stays certain only if all members agree and its target is not merged.
        let mut nodes: Vec<Node> = Vec::new();
        let mut edges: Vec<Edge> = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let fresh = group[i] == nodes.len();
            if fresh {
                nodes.push(*node);
            } else {
                let kept = &mut nodes[group[i]];
                kept.truths = kept.truths.join(node.truths);
                kept.summary = true;
            }
            for k in 0..width {
                let e = self.edges[i * width + k];
                let must =
                    bits(e.must).filter(|&t| sizes[group[t]] == 1).fold(0u64, |m, t| m | 1 << group[t]);
                let e = Edge { can: moved(e.can), must, ..e };
                if fresh {
                    edges.push(e);
                } else {
                    let kept = &mut edges[group[i] * width + k];
                    kept.can |= e.can;
                    kept.must &= e.must;
                    kept.null |= e.null;
                    kept.wild |= e.wild;
                }
            }
        }
        self.nodes = nodes;
        self.edges = edges;
    }

    /// Whether every heap of `other` is one of this graph; both blurred.
    #[must_use]
    pub fn covers(&self, class: &Class, other: &Graph) -> bool {
        self.nodes.len() == other.nodes.len()
            && other.null & !self.null == 0
            && other.wild & !self.wild == 0
            && (self.leaked || !other.leaked)
            && (0..self.nodes.len()).all(|i| {
                let (a, b) = (&self.nodes[i], &other.nodes[i]);
                self.name(class, i) == other.name(class, i)
                    && a.truths.covers(b.truths)
                    && (a.summary || !b.summary)
            })
            && self.edges.iter().zip(&other.edges).all(|(a, b)| {
                b.can & !a.can == 0 && a.must & !b.must == 0 && (a.null || !b.null) && (a.wild || !b.wild)
            })
            && self.values.iter().all(|(v, known)| other.value(*v).is_some_and(|o| implied(known, o)))
    }

    /// What is known of an integer variable.
    #[must_use]
    pub fn value(&self, v: VarId) -> Option<&Known> {
        self.values.binary_search_by_key(&v, |(w, _)| *w).ok().map(|i| &self.values[i].1)
    }

    /// Sets or forgets what is known of an integer variable.
    pub fn set_value(&mut self, v: VarId, known: Option<Known>) {
        match (self.values.binary_search_by_key(&v, |(w, _)| *w), known) {
            (Ok(i), Some(known)) => self.values[i].1 = known,
            (Ok(i), None) => {
                self.values.remove(i);
            }
            (Err(i), Some(known)) => self.values.insert(i, (v, known)),
            (Err(_), None) => {}
        }
    }
}

/// Whether `strong` being known makes `weak` known.
pub(super) fn implied(weak: &Known, strong: &Known) -> bool {
    match (weak, strong) {
        (Known::Is(a), Known::Is(b)) => b.within(*a),
        (Known::Not(none), Known::Is(b)) => !none.iter().any(|n| n.meets(*b)),
        (Known::Not(few), Known::Not(many)) => few.iter().all(|c| c.without(many).is_empty()),
        (Known::Is(_), Known::Not(_)) => false,
    }
}

/// The lowest `n` bits.
#[must_use]
pub fn mask(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// The positions of the bits set.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let i = set.trailing_zeros() as usize;
            set &= set - 1;
            i
        })
    })
}
