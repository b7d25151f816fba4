//! Covering between nodes of different precisions, and states that shrink in place.
//!
//! A node of one precision covers what embeds in it after it is seen in that precision: what is tracked less is
//! dropped, what is tracked more is unknown. Both only add heaps, so an embedding shows inclusion.
//!
//! A node whose state is computed again in a later precision may keep its successors if the new state lies
//! within the old one: they were made for more. Nodes that relied on it are looked at again.

use super::super::precision::Precision;
use super::super::shape::Region;
use super::{Fate, Tree};
use crate::analysis::lazy::shape::graph::Graph;
use crate::analysis::lazy::shape::truths::Truths;
use crate::util::hash::Set;
use crate::util::limits::{Budget, Stop};
use std::sync::Arc;

/// Pairs of graphs that one step of the budget compares.
const PAIRS_PER_STEP: u64 = 16;

/// A state with the precision it is of.
struct State<'a> {
    known: Truths,
    precision: &'a Precision,
}

impl State<'_> {
    /// Whether what is known of predicates here holds wherever `other` does.
    fn knows_less_than(&self, other: &State<'_>) -> bool {
        let own = width(self.precision.atoms.len());
        let missing = own & !width(other.precision.atoms.len());
        let seen = other.known.restrict(own);
        self.known.covers(Truths { can: seen.can | missing, cannot: seen.cannot | missing })
    }
}

fn width(atoms: usize) -> u128 {
    if atoms == 0 { 0 } else { u128::MAX >> (128 - atoms) }
}

/// One graph as other precisions see it.
struct Views<'a> {
    graph: &'a Graph,
    precision: usize,
    precisions: &'a [Precision],
    seen: Vec<(usize, Region)>,
}

impl<'a> Views<'a> {
    fn new(graph: &'a Graph, precision: usize, precisions: &'a [Precision]) -> Views<'a> {
        Views { graph, precision, precisions, seen: Vec::new() }
    }

    /// Whether the region, of a precision, has every heap of the graph.
    fn within(&mut self, region: &Region, precision: usize) -> bool {
        let (of, class) = (&self.precisions[self.precision].class, &self.precisions[precision].class);
        let covered = |g: &Graph| region.graphs().iter().any(|mine| mine.covers(class, g));
        if Arc::ptr_eq(of, class) {
            return covered(self.graph);
        }
        let at = self.seen.iter().position(|(p, _)| *p == precision).unwrap_or_else(|| {
            self.seen.push((precision, Region::of_graph(self.graph).seen_in(of, class)));
            self.seen.len() - 1
        });
        self.seen[at].1.graphs().iter().all(covered)
    }
}

impl Tree {
    fn state<'a>(&self, i: usize, precisions: &'a [Precision]) -> State<'a> {
        State { known: self.nodes[i].known, precision: &precisions[self.nodes[i].precision] }
    }

    /// Leaves to expanded nodes of the same location what they stand for already. `true` if nothing is left.
    ///
    /// # Errors
    /// If the budget ends; the tree is as before then.
    pub fn cover(&mut self, i: usize, precisions: &[Precision], budget: &mut Budget) -> Result<bool, Stop> {
        let node = &self.nodes[i];
        let state = self.state(i, precisions);
        let others = self.by_location[node.location.index()].iter().copied().filter(|&j| {
            j != i
                && self.nodes[j].fate == Fate::Expanded
                && self.state(j, precisions).knows_less_than(&state)
        });
        let below = self.below(i);
        let others: Vec<usize> = others.filter(|j| !below.contains(j)).collect();
        let class = &state.precision.class;
        let candidates: usize = others.iter().map(|&j| self.nodes[j].region.graphs().len()).sum();
        let mut relies = Vec::new();
        let mut left = Region::none();
        for graph in node.region.graphs() {
            // Embeddings are quick, but there may be very many pairs.
            budget.spend(1 + (candidates + left.graphs().len()) as u64 / PAIRS_PER_STEP)?;
            let mut views = Views::new(graph, node.precision, precisions);
            let found =
                others.iter().find(|&&j| views.within(&self.nodes[j].region, self.nodes[j].precision));
            match found {
                Some(&j) if !relies.contains(&j) => relies.push(j),
                Some(_) => {}
                None => left.insert(class, graph.clone()),
            }
        }
        let nothing = left.is_empty();
        if !relies.is_empty() {
            let own = &mut self.nodes[i].relies;
            relies.retain(|j| !own.contains(j));
            own.append(&mut relies);
            self.nodes[i].region = Arc::new(left);
        }
        if nothing {
            self.nodes[i].fate = Fate::Covered;
        }
        Ok(nothing)
    }

    /// The nodes below this one, ascending.
    fn below(&self, i: usize) -> Set<usize> {
        let mut below = Set::default();
        for j in i + 1..self.nodes.len() {
            if self.nodes[j].parent.is_some_and(|(p, _)| p == i || below.contains(&p)) {
                below.insert(j);
            }
        }
        below
    }

    /// Gives an expanded node a state of another precision and keeps what is below it, if that stands for the
    /// new state too. Nodes that relied on more than is left are open again. `false` if nothing was done.
    pub fn renew(
        &mut self,
        i: usize,
        known: Truths,
        region: &Region,
        precision: usize,
        precisions: &[Precision],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let node = &self.nodes[i];
        let state = State { known, precision: &precisions[precision] };
        let class = &state.precision.class;
        if node.fate != Fate::Expanded || !self.state(i, precisions).knows_less_than(&state) {
            return Ok(false);
        }
        let (mut own, mut relies) = (Region::none(), Vec::new());
        for graph in region.graphs() {
            budget.poll()?;
            let mut views = Views::new(graph, precision, precisions);
            if views.within(&node.region, node.precision) {
                own.insert(class, graph.clone());
                continue;
            }
            let other = node.relies.iter().find(|&&j| {
                self.state(j, precisions).knows_less_than(&state)
                    && views.within(&self.nodes[j].region, self.nodes[j].precision)
            });
            match other {
                Some(&j) if !relies.contains(&j) => relies.push(j),
                Some(_) => {}
                None => return Ok(false),
            }
        }
        if own.is_empty() {
            return Ok(false);
        }
        let node = &mut self.nodes[i];
        (node.known, node.precision, node.relies) = (known, precision, relies);
        (node.whole, node.region) = (Arc::new(region.clone()), Arc::new(own));
        self.stamp(i);
        self.look_again(i, precisions);
        Ok(true)
    }

    /// Nodes that rely on this one, whose state has changed.
    fn look_again(&mut self, j: usize, precisions: &[Precision]) {
        let dependents: Vec<usize> = (0..self.nodes.len())
            .filter(|&i| self.nodes[i].fate != Fate::Removed && self.nodes[i].relies.contains(&j))
            .collect();
        let lost: Vec<usize> = dependents.into_iter().filter(|&i| !self.stands(i, precisions)).collect();
        for &i in &lost {
            self.open_again(i);
        }
        for i in lost {
            self.cut_all(vec![i], i);
        }
    }

    /// Whether a node and those it relies on still have everything it stands for.
    fn stands(&self, i: usize, precisions: &[Precision]) -> bool {
        let node = &self.nodes[i];
        let state = self.state(i, precisions);
        let relies = node.relies.iter().filter(|&&j| self.state(j, precisions).knows_less_than(&state));
        let relies: Vec<&super::Node> = relies.map(|&j| &self.nodes[j]).collect();
        node.whole.graphs().iter().all(|graph| {
            let mut views = Views::new(graph, node.precision, precisions);
            views.within(&node.region, node.precision)
                || relies.iter().any(|o| views.within(&o.region, o.precision))
        })
    }
}
