//! The abstract reachability tree: states by location, covered where an earlier one has them already, cut back
//! and grown again where a refinement asks for it.
//!
//! Nodes of one tree may be of different precisions: a refinement changes states along the refuted path only
//! (`restart`).

mod cover;

use super::precision::Precision;
use super::shape::Region;
use super::shape::truths::Truths;
use crate::program::{EdgeId, LocationId};
use std::collections::VecDeque;
use std::sync::Arc;

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where.
    pub location: LocationId,
    /// Parent and the step from it.
    pub parent: Option<(usize, EdgeId)>,
    /// What is known of the predicates.
    pub known: Truths,
    /// The shapes it is expanded for.
    pub region: Arc<Region>,
    /// All its shapes; those that are not in `region` are in nodes it relies on.
    whole: Arc<Region>,
    relies: Vec<usize>,
    /// Under which precision, by index.
    pub precision: usize,
    /// Its fate.
    pub fate: Fate,
    /// When its state was set, and which state of its parent that was computed from.
    pub stamp: u64,
    derived: u64,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Waits in the queue.
    Open,
    /// Its successors are in the tree.
    Expanded,
    /// Everything it stands for is in nodes it relies on.
    Covered,
    /// Cut off.
    Removed,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    queue: VecDeque<usize>,
    by_location: Vec<Vec<usize>>,
    clock: u64,
    /// States ever computed, for new nodes and for those that were put into another precision.
    pub made: u64,
    /// Nodes that lazy restarts did not have to make again.
    pub kept: u64,
}

impl Tree {
    /// A tree with its root.
    #[must_use]
    pub fn new(locations: usize, entry: LocationId, known: Truths, region: Region) -> Tree {
        let mut tree = Tree { by_location: vec![Vec::new(); locations], ..Tree::default() };
        let region = Arc::new(region);
        tree.add(entry, None, known, region, 0);
        tree
    }

    /// The node.
    #[must_use]
    pub fn node(&self, i: usize) -> &Node {
        &self.nodes[i]
    }

    /// All nodes that are part of the tree.
    pub fn nodes(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.nodes.iter().enumerate().filter(|(_, n)| n.fate != Fate::Removed)
    }

    fn add(
        &mut self,
        location: LocationId,
        parent: Option<(usize, EdgeId)>,
        known: Truths,
        region: Arc<Region>,
        precision: usize,
    ) {
        let i = self.nodes.len();
        self.clock += 1;
        let derived = parent.map_or(0, |(p, _)| self.nodes[p].stamp);
        self.by_location[location.index()].push(i);
        self.queue.push_back(i);
        let (whole, relies, fate) = (region.clone(), Vec::new(), Fate::Open);
        let stamp = self.clock;
        self.nodes.push(Node {
            location,
            parent,
            known,
            region,
            whole,
            relies,
            precision,
            fate,
            stamp,
            derived,
        });
        self.made += 1;
    }

    /// Adds a successor.
    pub fn grow(
        &mut self,
        parent: usize,
        edge: EdgeId,
        location: LocationId,
        state: (Truths, Region),
        precision: usize,
    ) {
        self.add(location, Some((parent, edge)), state.0, Arc::new(state.1), precision);
    }

    /// The successor that was added last by this step.
    #[must_use]
    pub fn child(&self, parent: usize, edge: EdgeId) -> Option<usize> {
        (parent + 1..self.nodes.len())
            .rev()
            .find(|&i| self.nodes[i].parent == Some((parent, edge)) && self.nodes[i].fate != Fate::Removed)
    }

    /// The next node to look at, the oldest or the newest.
    pub fn pop(&mut self, newest: bool) -> Option<usize> {
        while let Some(i) = if newest { self.queue.pop_back() } else { self.queue.pop_front() } {
            if self.nodes[i].fate == Fate::Open {
                return Some(i);
            }
        }
        None
    }

    /// Hands everything the node stands for to another one that waits at the same location and knows the same.
    /// `true` if there is one.
    pub fn join(&mut self, i: usize, precision: &Precision) -> bool {
        let node = &self.nodes[i];
        let fits = |&j: &usize| {
            let other = &self.nodes[j];
            j != i
                && other.fate == Fate::Open
                && other.precision == node.precision
                && other.known == node.known
        };
        let Some(j) = self.by_location[node.location.index()].iter().copied().find(fits) else {
            return false;
        };
        let mut region = (*self.nodes[j].whole).clone();
        self.nodes[i].region.graphs().iter().for_each(|g| region.insert(&precision.class, g.clone()));
        let region = Arc::new(region);
        (self.nodes[j].whole, self.nodes[j].region) = (region.clone(), region);
        let node = &mut self.nodes[i];
        node.relies.push(j);
        // Nothing of it is expanded by itself, which matters when the other one shrinks.
        (node.region, node.fate) = (Arc::default(), Fate::Covered);
        true
    }

    /// Decides the fate of a node.
    pub fn settle(&mut self, i: usize, fate: Fate) {
        self.nodes[i].fate = fate;
    }

    /// Everything the node stands for.
    #[must_use]
    pub fn whole(&self, i: usize) -> &Region {
        &self.nodes[i].whole
    }

    /// Puts a node into another precision; it is looked at again.
    pub fn reopen(&mut self, i: usize, known: Truths, region: Region, precision: usize) {
        let node = &mut self.nodes[i];
        let region = Arc::new(region);
        (node.known, node.whole, node.region) = (known, region.clone(), region);
        (node.precision, node.fate) = (precision, Fate::Open);
        node.relies.clear();
        self.queue.push_back(i);
        self.stamp(i);
    }

    fn stamp(&mut self, i: usize) {
        self.clock += 1;
        self.nodes[i].stamp = self.clock;
    }

    /// The node's state was computed from its parent's present one.
    pub fn derive(&mut self, i: usize) {
        self.made += 1;
        if let Some((p, _)) = self.nodes[i].parent {
            self.nodes[i].derived = self.nodes[p].stamp;
        }
    }

    /// Whether the parent's state has changed since the node's was computed from it.
    #[must_use]
    pub fn outdated(&self, i: usize) -> bool {
        self.nodes[i].parent.is_some_and(|(p, _)| self.nodes[i].derived != self.nodes[p].stamp)
    }

    /// The nodes from the root to this one.
    #[must_use]
    pub fn path(&self, i: usize) -> Vec<usize> {
        let mut path = vec![i];
        let mut at = i;
        while let Some((parent, _)) = self.nodes[at].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Removes everything below the node. Nodes that relied on removed ones, or on this one, are open again, and
    /// what is below them is removed as well.
    pub fn cut(&mut self, below: usize) {
        self.cut_all(vec![below], below);
    }

    /// Removes the node and everything below it.
    pub fn remove(&mut self, i: usize) {
        self.cut(i);
        self.drop_state(i, Fate::Removed);
        self.by_location[self.nodes[i].location.index()].retain(|&j| j != i);
    }

    fn drop_state(&mut self, i: usize, fate: Fate) {
        let node = &mut self.nodes[i];
        node.fate = fate;
        node.relies.clear();
        (node.region, node.whole) = (Arc::default(), Arc::default());
    }

    /// Cuts below each of the nodes; `asked` is not opened by that.
    fn cut_all(&mut self, mut roots: Vec<usize>, asked: usize) {
        let mut lost = vec![false; self.nodes.len()];
        while let Some(root) = roots.pop() {
            lost[root] = true;
            // Children have larger numbers than their parents.
            for i in root + 1..self.nodes.len() {
                let under = |p: usize| p == root || lost[p] && self.nodes[p].fate == Fate::Removed;
                if self.nodes[i].fate != Fate::Removed && self.nodes[i].parent.is_some_and(|(p, _)| under(p))
                {
                    lost[i] = true;
                    self.drop_state(i, Fate::Removed);
                }
            }
            for i in 0..self.nodes.len() {
                let node = &self.nodes[i];
                if node.fate != Fate::Removed
                    && i != asked
                    && node.relies.iter().any(|&r| lost[r])
                    && !lost[i]
                {
                    self.open_again(i);
                    lost[i] = true;
                    roots.push(i);
                }
            }
        }
        for at in &mut self.by_location {
            at.retain(|&i| self.nodes[i].fate != Fate::Removed);
        }
    }

    fn open_again(&mut self, i: usize) {
        let node = &mut self.nodes[i];
        node.region = node.whole.clone();
        node.relies.clear();
        node.fate = Fate::Open;
        self.queue.push_back(i);
    }

    /// Counts what a restart has left: nodes that need not be made again.
    pub fn note_kept(&mut self) {
        self.kept += self.nodes().count() as u64;
    }
}
