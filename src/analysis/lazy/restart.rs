//! After a refinement: which states are computed again.
//!
//! *Lazy restart.* Only the states along the refuted path change, from the first node that the refinement
//! concerns: each is computed anew from its parent in the latest precision. What hangs on these nodes beside the
//! path was made for larger states, so it stays, in the precision it was made with, until a path through it
//! is refuted in turn ([`super::tree::Tree::renew`]; where a new state is not within the old one, what is below it
//! is removed). Nodes that relied on a state that shrank are open again.
//!
//! What is compared (`catena suite lazy`, columns "both" and "from the root"; `cargo bench --bench lazy`) are states
//! computed in all rounds, for new nodes and for old ones alike, by the same search with the same refiner. On splice 623
//! are computed, 727 with restarts at the root, 1,038 with those and the oldest node first. It cannot be half of
//! 727: the finished tree has 414 nodes, nearly all made in the last round, because the earlier rounds stop at the
//! first error they meet, and each shape that is tracked later concerns the first loop already.
//!
//! A node is *stale* if it is of an older precision, or was computed from an older state of its parent. A
//! path without stale nodes that still leads to an error asks for more than is tracked.

use super::predicates::Predicates;
use super::search::{Halt, Search, too_large};
use super::shape::Region;
use super::shape::focus::TooLarge;
use super::shape::truths::Truths;
use super::tree::Fate;
use crate::program::EdgeId;

/// A state that was computed from a parent.
enum Post {
    /// There is none.
    Empty,
    /// The step may fail.
    Fails,
    /// What is known, and the shapes.
    State(Truths, Region),
}

impl Search<'_> {
    /// Whether one of the nodes, each the child of the one before it, is stale.
    pub(super) fn stale(&self, nodes: &[usize]) -> bool {
        let old = |&n: &usize| self.tree.node(n).precision != self.latest();
        nodes.iter().any(old) || nodes.iter().skip(1).any(|&n| self.tree.outdated(n))
    }

    /// Puts a node that is to be expanded into the latest precision. `false` if nothing is left of it.
    pub(super) fn refresh(&mut self, node: usize) -> Result<bool, Halt> {
        let latest = self.latest();
        if let Some((parent, edge)) = self.tree.node(node).parent
            && self.tree.node(parent).precision == latest
            && self.tree.outdated(node)
        {
            match self.post(parent, edge)? {
                Post::State(known, region) => {
                    self.tree.cut(node);
                    self.tree.reopen(node, known, region, latest);
                    self.tree.derive(node);
                }
                Post::Empty => {
                    self.tree.remove(node);
                    return Ok(false);
                }
                // The parent has to be expanded again to say so.
                Post::Fails => {
                    self.restart(parent)?;
                    return Ok(false);
                }
            }
        } else if self.tree.node(node).precision != latest {
            self.restart(node)?;
        }
        Ok(true)
    }

    fn post(&mut self, node: usize, edge: EdgeId) -> Result<Post, Halt> {
        let node = self.tree.node(node).clone();
        let class = self.precisions[node.precision].class.clone();
        let (region, fails) = self.shapes(&class, &node, edge).map_err(|TooLarge| too_large())?;
        let predicates = &mut self.predicates[node.precision];
        if let Some((_, scalar)) = fails
            && (!scalar || predicates.may_fail(edge, node.known))
        {
            return Ok(Post::Fails);
        }
        let to = self.program.edges[edge.index()].to;
        Ok(match predicates.post(edge, node.known) {
            Some(known) if !region.is_empty() => Post::State(self.alive(known, node.precision, to), region),
            _ => Post::Empty,
        })
    }

    /// Puts a node into the latest precision and forgets what is below it.
    pub(super) fn restart(&mut self, node: usize) -> Result<(), Halt> {
        self.tree.cut(node);
        let (known, region) = self.converted(node);
        self.tree.reopen(node, known, region, self.latest());
        Ok(())
    }

    /// A node's state in the latest precision.
    fn converted(&self, node: usize) -> (Truths, Region) {
        let (from, to) = (self.tree.node(node).precision, self.latest());
        let (old, new) = (&self.precisions[from], &self.precisions[to]);
        if self.tree.node(node).parent.is_none() {
            return (self.predicates[to].unknown(), Region::start(&new.class));
        }
        let known = widen(self.tree.node(node).known, old.atoms.len(), &self.predicates[to]);
        (known, self.tree.whole(node).convert(&old.class, &new.class))
    }

    /// Computes the states of the refuted path again, from one of its nodes on.
    pub(super) fn walk_again(&mut self, path: &[EdgeId], nodes: &[usize], first: usize) -> Result<(), Halt> {
        if self.columns.from_root {
            self.restart(nodes[first])?;
            self.tree.note_kept();
            self.walk = Some((nodes[first], path[first..].to_vec()));
            return Ok(());
        }
        let latest = self.latest();
        let (mut known, mut region) = self.converted(nodes[first]);
        for at in first..nodes.len() {
            let node = nodes[at];
            let last = at + 1 == nodes.len();
            if last || !self.tree.renew(node, known, &region, latest, &self.precisions) {
                self.tree.cut(node);
                self.tree.reopen(node, known, region, latest);
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
                Post::Fails => {
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
