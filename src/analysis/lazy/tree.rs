//! The abstract reachability tree: states by location, covered where an earlier one has them already, cut back
//! and grown again where a refinement asks for it.
//!
//! *Lazy restart*: a refinement removes only what lies below the first node whose successors need the new
//! precision; other parts of the tree keep the precision they were built with, which is sound as it stands. Nodes
//! that were covered by removed ones are opened again.

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
    /// The shapes.
    pub region: Arc<Region>,
    /// Under which precision, by index.
    pub precision: usize,
    /// Its fate.
    pub fate: Fate,
    depth: u32,
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Waits in the queue.
    Open,
    /// Its successors are in the tree.
    Expanded,
    /// Everything it stands for is in that node.
    Covered(usize),
    /// Cut off.
    Removed,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    queue: VecDeque<usize>,
    by_location: Vec<Vec<usize>>,
    /// Nodes ever made.
    pub made: u64,
    /// Nodes that lazy restarts did not have to make again.
    pub kept: u64,
}

impl Tree {
    /// A tree with its root.
    #[must_use]
    pub fn new(locations: usize, entry: LocationId, known: Truths, region: Region) -> Tree {
        let mut tree = Tree { by_location: vec![Vec::new(); locations], ..Tree::default() };
        tree.add(Node {
            location: entry,
            parent: None,
            known,
            region: Arc::new(region),
            precision: 0,
            fate: Fate::Open,
            depth: 0,
        });
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

    fn add(&mut self, node: Node) -> usize {
        let i = self.nodes.len();
        self.by_location[node.location.index()].push(i);
        self.queue.push_back(i);
        self.nodes.push(node);
        self.made += 1;
        i
    }

    /// Adds a successor.
    pub fn grow(
        &mut self,
        parent: usize,
        edge: EdgeId,
        location: LocationId,
        known: Truths,
        region: Arc<Region>,
    ) {
        let (precision, depth) = (self.nodes[parent].precision, self.nodes[parent].depth + 1);
        let parent = Some((parent, edge));
        self.add(Node { location, parent, known, region, precision, fate: Fate::Open, depth });
    }

    /// The next node to look at, breadth first.
    pub fn next(&mut self) -> Option<usize> {
        while let Some(i) = self.queue.pop_front() {
            if self.nodes[i].fate == Fate::Open {
                return Some(i);
            }
        }
        None
    }

    /// An expanded node at the same location and precision that stands for everything this one stands for.
    #[must_use]
    pub fn cover(&self, i: usize, precision: &Precision) -> Option<usize> {
        let node = &self.nodes[i];
        self.by_location[node.location.index()].iter().copied().find(|&j| {
            let other = &self.nodes[j];
            j != i
                && other.fate == Fate::Expanded
                && other.precision == node.precision
                && other.known.covers(node.known)
                && other.region.covers(&precision.class, &node.region)
        })
    }

    /// Decides the fate of a node.
    pub fn settle(&mut self, i: usize, fate: Fate) {
        self.nodes[i].fate = fate;
    }

    /// Puts a node into another precision; it is looked at again.
    pub fn reopen(&mut self, i: usize, known: Truths, region: Region, precision: usize) {
        let node = &mut self.nodes[i];
        (node.known, node.region, node.precision, node.fate) =
            (known, Arc::new(region), precision, Fate::Open);
        self.queue.push_back(i);
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

    /// Removes everything below the node; nodes covered by removed ones are open again.
    pub fn cut(&mut self, below: usize) {
        // Children have larger numbers than their parents.
        let mut gone = vec![false; self.nodes.len()];
        for i in below + 1..self.nodes.len() {
            let under = |p: usize| p == below || gone[p];
            if self.nodes[i].fate != Fate::Removed && self.nodes[i].parent.is_some_and(|(p, _)| under(p)) {
                gone[i] = true;
                self.nodes[i].fate = Fate::Removed;
                self.nodes[i].region = Arc::default();
            }
        }
        for at in &mut self.by_location {
            at.retain(|&i| !gone[i]);
        }
        gone[below] = true;
        for i in 0..self.nodes.len() {
            if let Fate::Covered(by) = self.nodes[i].fate
                && gone[by]
            {
                self.nodes[i].fate = Fate::Open;
                self.queue.push_back(i);
            }
        }
        self.kept += self.nodes().count() as u64;
    }
}
