//! The classes of equal nodes under one assignment of the equality atoms, with explanations.
//!
//! Rebuilt for every model of the Boolean search: union-find over the true equalities, then congruence to a
//! fixed point (most problems have no functions and skip this), then numbers for the classes of every sort.
//! A forest of the merges, as in Nieuwenhuis and Oliveras (2007), explains why two nodes are equal.

use super::universe::Universe;
use crate::logic::{FuncId, SortId};
use crate::sat::Var;
use crate::util::hash::{Map, Set};
use bumpalo::{Bump, collections as bump};

/// Stands for no node.
pub(super) const NONE: u32 = u32::MAX;

/// Why two nodes are equal.
#[derive(Clone, Copy, Debug)]
enum Reason {
    /// This equality atom is true.
    Atom(Var),
    /// They apply one symbol to equal arguments.
    Congruence(u32, u32),
}

/// Classes of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    parent: Vec<u32>,
    /// The edge towards the root of the explanation tree.
    edge: Vec<Option<(u32, Reason)>>,
    merges: usize,
    class: Vec<u32>,
    /// For each sort and class the oldest node that ranges, or `NONE`.
    representatives: Vec<Vec<u32>>,
    by_root: Vec<u32>,
    /// For each node, whether it is equal to another one.
    crowded: Vec<bool>,
}

impl Closure {
    /// The number of a node's class within its sort.
    #[inline]
    pub(super) fn class(&self, node: u32) -> u32 {
        self.class[node as usize]
    }

    /// The classes of all nodes.
    pub(super) fn classes(&self) -> &[u32] {
        &self.class
    }

    /// Whether a node is equal to another one.
    #[inline]
    pub(super) fn is_crowded(&self, node: u32) -> bool {
        self.crowded[node as usize]
    }

    /// Whether two different nodes are equal.
    pub(super) fn has_merges(&self) -> bool {
        self.merges > 0
    }

    /// For each class of a sort the oldest node that ranges.
    pub(super) fn representatives(&self, sort: SortId) -> &[u32] {
        self.representatives.get(sort.index()).map_or(&[], Vec::as_slice)
    }

    /// Computes the classes for these true equalities.
    pub(super) fn rebuild(
        &mut self,
        universe: &Universe,
        n_sorts: usize,
        equalities: impl Iterator<Item = (Var, u32, u32)>,
    ) {
        let n = universe.nodes().len();
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.edge.clear();
        self.edge.resize(n, None);
        self.crowded.clear();
        self.crowded.resize(n, false);
        self.merges = 0;
        for (var, a, b) in equalities {
            self.merge(a, b, Reason::Atom(var));
        }
        if self.merges > 0 && !universe.applications().is_empty() {
            self.close(universe);
        }
        self.number(universe, n_sorts);
    }

    fn close(&mut self, universe: &Universe) {
        loop {
            let before = self.merges;
            let mut signatures: Map<(FuncId, Box<[u32]>), u32> = Map::default();
            for &id in universe.applications() {
                let node = universe.node(id);
                let func = node.func.expect("applications have a symbol");
                let args: Box<[u32]> = node.args.iter().map(|&a| self.find(a)).collect();
                let first = *signatures.entry((func, args)).or_insert(id);
                self.merge(first, id, Reason::Congruence(first, id));
            }
            if self.merges == before {
                return;
            }
        }
    }

    fn number(&mut self, universe: &Universe, n_sorts: usize) {
        self.representatives.resize_with(n_sorts, Vec::new);
        self.representatives.iter_mut().for_each(Vec::clear);
        self.by_root.clear();
        self.by_root.resize(self.parent.len(), NONE);
        self.class.clear();
        for (id, node) in universe.nodes().iter().enumerate() {
            let root = self.find(id as u32) as usize;
            let classes = &mut self.representatives[node.sort.index()];
            if self.by_root[root] == NONE {
                self.by_root[root] = classes.len() as u32;
                classes.push(NONE);
            }
            let class = self.by_root[root];
            if node.ranges && classes[class as usize] == NONE {
                classes[class as usize] = id as u32;
            }
            self.class.push(class);
        }
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let up = self.parent[node as usize];
            self.parent[node as usize] = self.parent[up as usize];
            node = up;
        }
        node
    }

    fn merge(&mut self, a: u32, b: u32, reason: Reason) {
        let (root_a, root_b) = (self.find(a), self.find(b));
        if root_a == root_b {
            return;
        }
        self.merges += 1;
        self.crowded[a as usize] = true;
        self.crowded[b as usize] = true;
        self.parent[root_a as usize] = root_b;
        // Turn the path from a to its tree's root around, then hang a under b.
        let mut next = Some((b, reason));
        let mut at = a;
        while let Some(new) = next {
            let old = self.edge[at as usize].replace(new);
            next = old.map(|(_, reason)| (at, reason));
            at = old.map_or(at, |(up, _)| up);
        }
    }

    /// True equality atoms that make every pair equal; all pairs must be equal.
    pub(super) fn explain<'b>(
        &self,
        universe: &Universe,
        pairs: &[(u32, u32)],
        scratch: &'b Bump,
    ) -> bump::Vec<'b, Var> {
        let mut atoms = bump::Vec::new_in(scratch);
        let mut open = bump::Vec::from_iter_in(pairs.iter().copied(), scratch);
        let mut done: Set<(u32, u32)> = Set::default();
        while let Some((a, b)) = open.pop() {
            if a == b || !done.insert((a.min(b), a.max(b))) {
                continue;
            }
            let above = bump::Vec::from_iter_in(self.path(a), scratch);
            let meet = self.path(b).find(|n| above.contains(n)).expect("equal nodes share a tree");
            for end in [a, b] {
                for node in self.path(end).take_while(|&n| n != meet) {
                    match self.edge[node as usize].expect("below the meeting point").1 {
                        Reason::Atom(var) => atoms.push(var),
                        Reason::Congruence(left, right) => {
                            let (l, r) = (&universe.node(left).args, &universe.node(right).args);
                            open.extend(l.iter().copied().zip(r.iter().copied()));
                        }
                    }
                }
            }
        }
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// A node and all above it in its explanation tree.
    fn path(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(node), |&n| self.edge[n as usize].map(|(up, _)| up))
    }
}
