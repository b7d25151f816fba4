//! After a refinement: which states are computed again.
//!
//! *Lazy restart.* Only the states along the refuted path change, from the first node that the refinement
//! concerns: each is computed anew from its parent in the latest precision. What hangs on these nodes beside the
//! path was made for larger states, so it stays, in the precision it was made with, until a path through it
//! is refuted in turn ([`super::tree::Tree::renew`]; where a new state is not within the old one, what is below it
//! is removed). Nodes that relied on a state that shrank are open again.
//!
//! What is compared (`catena suite lazy`, columns "both" and "from the root"; `cargo bench --bench lazy`) are states
//! computed in all rounds, for new nodes and for old ones alike, with the same refiner. On splice 623 are computed; the
//! plain algorithm, which explores breadth first and starts again at the root, computes 1,272. Much of that is
//! owed to the order: with the newest node first, restarts at the root compute 745. Less than half of those cannot be had,
//! because the finished tree has 414 nodes, nearly all made in the last round: in this order the earlier
//! rounds soon meet an error, and each shape that is tracked later concerns the first loop already.
//!
//! *Precision per location.* Where [`super::Columns::local`] is set, a location tracks what was known to be needed when a
//! path was last refuted by steps around it. Precisions form a chain, so a location has a place in it. A step is computed in
//! the larger precision of its two ends. If a path is not excluded although everything between the first and
//! the last step of its refutation tracks the latest, all locations do. On the rows of the paper every location needs nearly
//! everything, and finding that out takes more rounds: splice takes 799 states, 1,125 from the root (2,267 breadth
//! first). Hence one precision for all is the default.
//!
//! A node is *stale* if it is of an older precision, or was computed from an older state of its parent. A
//! path without stale nodes that still leads to an error asks for more than is tracked.

use super::predicates::Predicates;
use super::search::{Halt, Post, Search};
use super::shape::Region;
use super::shape::truths::Truths;
use super::tree::{Fate, Node};
use crate::program::{EdgeId, LocationId};
use std::sync::Arc;

impl Search<'_> {
    /// The precision of new states at a location.
    pub(super) fn target(&self, at: LocationId) -> usize {
        if self.columns.local { self.tracked_at[at.index()] } else { self.latest() }
    }

    /// Whether a node is of an older precision than new states are.
    fn aged(&self, node: usize) -> bool {
        let node = self.tree.node(node);
        node.precision != self.target(node.location)
    }

    /// Where each location has its own precision: the nodes' locations get the latest. Whether that is new to one.
    pub(super) fn spread(&mut self, nodes: &[usize]) -> bool {
        let latest = self.latest();
        let mut new = false;
        for &node in nodes {
            let at = &mut self.tracked_at[self.tree.node(node).location.index()];
            new |= self.columns.local && *at != latest;
            *at = latest;
        }
        new
    }

    /// The same for all locations.
    pub(super) fn spread_everywhere(&mut self) -> bool {
        let latest = self.latest();
        let new = self.columns.local && self.tracked_at.iter().any(|&at| at != latest);
        self.tracked_at.fill(latest);
        new
    }

    /// Whether one of the nodes, each the child of the one before it, is stale.
    pub(super) fn stale(&self, nodes: &[usize]) -> bool {
        let old = |&n: &usize| self.aged(n);
        nodes.iter().any(old) || nodes.iter().skip(1).any(|&n| self.tree.outdated(n))
    }

    /// Puts a node that is to be expanded into the latest precision. `false` if nothing is left of it.
    pub(super) fn refresh(&mut self, node: usize) -> Result<bool, Halt> {
        if let Some((parent, edge)) = self.tree.node(node).parent
            && !self.aged(parent)
            && self.tree.outdated(node)
        {
            match self.post(parent, edge)? {
                Post::State(known, region) => {
                    self.tree.cut(node);
                    self.tree.reopen(node, known, region, self.target(self.tree.node(node).location));
                    self.tree.derive(node);
                }
                Post::Empty => {
                    self.tree.remove(node);
                    return Ok(false);
                }
                // The parent has to be expanded again to say so.
                Post::Fails(_) => {
                    self.restart(parent)?;
                    return Ok(false);
                }
            }
        } else if self.aged(node) {
            self.restart(node)?;
        }
        Ok(true)
    }

    /// Puts a node into its location's precision and forgets what is below it.
    pub(super) fn restart(&mut self, node: usize) -> Result<(), Halt> {
        self.tree.cut(node);
        let (known, region) = self.converted(node);
        let precision = self.target(self.tree.node(node).location);
        self.tree.reopen(node, known, region, precision);
        Ok(())
    }

    /// Everything a node stands for, in its location's precision.
    fn converted(&self, node: usize) -> (Truths, Region) {
        let to = self.target(self.tree.node(node).location);
        self.grown(node, self.tree.whole(node), to)
    }

    /// The state that a node is expanded for, in a precision that tracks at least as much as its own.
    pub(super) fn seen_in(&self, node: usize, to: usize) -> (Truths, Arc<Region>) {
        let Node { known, region, precision, .. } = self.tree.node(node);
        if *precision == to {
            return (*known, region.clone());
        }
        let (known, region) = self.grown(node, region, to);
        (known, Arc::new(region))
    }

    fn grown(&self, node: usize, region: &Region, to: usize) -> (Truths, Region) {
        let node = self.tree.node(node);
        if node.precision == to {
            return (node.known, region.clone());
        }
        let (old, new) = (&self.precisions[node.precision], &self.precisions[to]);
        if node.parent.is_none() {
            return (self.predicates[to].unknown(), Region::start(&new.class));
        }
        let known = widen(node.known, old.atoms.len(), &self.predicates[to]);
        (known, region.convert(&old.class, &new.class))
    }

    /// Computes the states of the refuted path again, from one of its nodes on.
    pub(super) fn walk_again(&mut self, path: &[EdgeId], nodes: &[usize], first: usize) -> Result<(), Halt> {
        if self.columns.from_root {
            self.restart(nodes[first])?;
            self.tree.note_kept();
            return Ok(());
        }
        let (mut known, mut region) = self.converted(nodes[first]);
        for at in first..nodes.len() {
            let node = nodes[at];
            let last = at + 1 == nodes.len();
            let precision = self.target(self.tree.node(node).location);
            let renewed = !last && {
                let precisions = &self.precisions;
                let renewed = self.tree.renew(node, known, &region, precision, precisions, &mut self.budget);
                renewed.map_err(Halt::Stopped)?
            };
            if !renewed {
                self.tree.cut(node);
                self.tree.reopen(node, known, region, precision);
            }
            if at > first {
                self.tree.derive(node);
            }
            // Without this, loops are unrolled for ever: what was kept below a state that is now covered would
            // be refined one iteration further each time.
            if self.tree.node(node).fate == Fate::Expanded
                && self.joins[self.tree.node(node).location.index()]
                && self.tree.cover(node, &self.precisions, &mut self.budget).map_err(Halt::Stopped)?
            {
                self.tree.cut(node);
                break;
            }
            if self.tree.node(node).fate == Fate::Open {
                self.walk = Some((node, path[at..].to_vec()));
                break;
            }
            match self.post(node, path[at])? {
                Post::State(k, r) => (known, region) = (k, r),
                Post::Empty => {
                    self.tree.remove(nodes[at + 1]);
                    break;
                }
                Post::Fails(_) => {
                    self.restart(node)?;
                    self.walk = Some((node, path[at..].to_vec()));
                    break;
                }
            }
        }
        self.tree.note_kept();
        Ok(())
    }
}

/// The literals known so far, the new predicates unknown.
fn widen(known: Truths, old: usize, predicates: &Predicates) -> Truths {
    let all = predicates.unknown();
    let fresh = if old >= 128 { 0 } else { u128::MAX << old };
    Truths { can: known.can | all.can & fresh, cannot: known.cannot | all.cannot & fresh }
}
