//! The abstract reachability tree: states by location, covered where an earlier one has them already, cut back
//! and grown again where a refinement asks for it.
//!
//! *Lazy restart*: a refinement removes only what lies below the first node whose successors need the new
//! precision; other parts of the tree keep the precision they were built with, which is sound as it stands. Nodes
//! that were covered by removed ones are opened again. What is kept is counted. On the rows of the thesis that is
//! little (splice: 193 nodes in six refinements, against 1,370 made): their loops write what the checks at the end
//! read, so the first node concerned lies in the first loop, near the root, and almost the whole tree hangs on
//! it. Precision per location would not move that node; a third of all nodes is the last round, the others are made
//! because each round finds its error only behind that loop.

use super::precision::Precision;
use super::shape::Region;
use super::shape::truths::Truths;
use crate::program::{EdgeId, LocationId};
use crate::util::limits::{Budget, Stop};
use std::collections::VecDeque;
use std::sync::Arc;

/// Pairs of graphs that one step of the budget compares.
const PAIRS_PER_STEP: u64 = 16;

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
    depth: u32,
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
        let region = Arc::new(region);
        tree.add(entry, None, known, region, 0, 0);
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
        depth: u32,
    ) {
        let i = self.nodes.len();
        self.by_location[location.index()].push(i);
        self.queue.push_back(i);
        let (whole, relies, fate) = (region.clone(), Vec::new(), Fate::Open);
        self.nodes.push(Node { location, parent, known, region, whole, relies, precision, fate, depth });
        self.made += 1;
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
        self.add(location, Some((parent, edge)), known, region, precision, depth);
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

    /// Leaves to expanded nodes of the same location and precision what they stand for already. `true` if
    /// nothing is left.
    ///
    /// # Errors
    /// If the budget ends; the tree is as before then.
    pub fn cover(&mut self, i: usize, precision: &Precision, budget: &mut Budget) -> Result<bool, Stop> {
        let node = &self.nodes[i];
        let others = self.by_location[node.location.index()].iter().copied().filter(|&j| {
            let other = &self.nodes[j];
            j != i
                && other.fate == Fate::Expanded
                && other.precision == node.precision
                && other.known.covers(node.known)
        });
        let others: Vec<usize> = others.collect();
        let candidates: usize = others.iter().map(|&j| self.nodes[j].region.graphs().len()).sum();
        let mut relies = Vec::new();
        let mut left = Region::none();
        for graph in node.region.graphs() {
            // Embeddings are quick, but there may be very many pairs.
            budget.spend(1 + (candidates + left.graphs().len()) as u64 / PAIRS_PER_STEP)?;
            let holds = |&&j: &&usize| {
                self.nodes[j].region.graphs().iter().any(|g| g.covers(&precision.class, graph))
            };
            match others.iter().find(holds) {
                Some(&j) if !relies.contains(&j) => relies.push(j),
                Some(_) => {}
                None => left.insert(&precision.class, graph.clone()),
            }
        }
        let nothing = left.is_empty();
        if !relies.is_empty() {
            self.nodes[i].relies = relies;
            self.nodes[i].region = Arc::new(left);
        }
        if nothing {
            self.nodes[i].fate = Fate::Covered;
        }
        Ok(nothing)
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
        self.nodes[i].relies.push(j);
        self.nodes[i].fate = Fate::Covered;
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
        let mut lost = vec![false; self.nodes.len()];
        let mut roots = vec![below];
        while let Some(root) = roots.pop() {
            lost[root] = true;
            // Children have larger numbers than their parents.
            for i in root + 1..self.nodes.len() {
                let under = |p: usize| p == root || lost[p] && self.nodes[p].fate == Fate::Removed;
                if self.nodes[i].fate != Fate::Removed && self.nodes[i].parent.is_some_and(|(p, _)| under(p))
                {
                    lost[i] = true;
                    self.nodes[i].fate = Fate::Removed;
                    (self.nodes[i].region, self.nodes[i].whole) = (Arc::default(), Arc::default());
                }
            }
            for i in 0..self.nodes.len() {
                let node = &mut self.nodes[i];
                if node.fate != Fate::Removed
                    && i != below
                    && node.relies.iter().any(|&r| lost[r])
                    && !lost[i]
                {
                    node.region = node.whole.clone();
                    node.relies.clear();
                    node.fate = Fate::Open;
                    self.queue.push_back(i);
                    lost[i] = true;
                    roots.push(i);
                }
            }
        }
        for at in &mut self.by_location {
            at.retain(|&i| self.nodes[i].fate != Fate::Removed);
        }
    }

    /// Counts what a restart has left: nodes that need not be made again.
    pub fn note_kept(&mut self) {
        self.kept += self.nodes().count() as u64;
    }
}
