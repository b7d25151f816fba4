//! Regions: sets of blurred shape graphs of one class, none of them covered by another.

use super::class::Class;
use super::coerce::coerce;
use super::graph::{Edge, Graph, Node, mask};
use super::transfer::tops;
use super::truths::{Kleene, Truths};

/// A set of heaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Blurred, ascending.
    graphs: Vec<Graph>,
}

impl Region {
    /// No heap.
    #[must_use]
    pub fn none() -> Region {
        Region::default()
    }

    /// Every heap.
    #[must_use]
    pub fn top(class: &Class) -> Region {
        let mut region = Region::none();
        tops(class).into_iter().for_each(|g| region.insert(class, g));
        region
    }

    /// The heap without cells, every tracked pointer arbitrary.
    #[must_use]
    pub fn start(class: &Class) -> Region {
        let mut graph = Graph::empty(class);
        graph.wild = graph.null;
        graph.null = 0;
        Region { graphs: vec![graph] }
    }

    /// One blurred graph.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Region {
        Region { graphs: vec![graph.clone()] }
    }

    /// The heaps of this region, and perhaps more, in another class, of which one tracks what the other tracks.
    #[must_use]
    pub fn seen_in(&self, from: &Class, to: &Class) -> Region {
        let grows = to.level >= from.level && from.tests.iter().all(|t| to.tests.contains(t));
        if grows && from.vars.iter().all(|&v| to.var(v).is_some()) {
            return self.convert(from, to);
        }
        let mut region = Region::none();
        for graph in &self.graphs {
            let mut seen = carry(graph, from, to);
            if coerce(to, &mut seen) {
                region.insert(to, seen);
            }
        }
        region
    }

    /// Its graphs.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// No heap at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.graphs.is_empty()
    }

    /// Adds a graph, blurring it.
    pub fn insert(&mut self, class: &Class, mut graph: Graph) {
        graph.blur(class);
        if self.graphs.iter().any(|g| g.covers(class, &graph)) {
            return;
        }
        self.graphs.retain(|g| !graph.covers(class, g));
        let at = self.graphs.binary_search(&graph).unwrap_or_else(|at| at);
        self.graphs.insert(at, graph);
    }

    /// Whether every heap of the other is here.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn covers(&self, class: &Class, other: &Region) -> bool {
        other.graphs.iter().all(|g| self.graphs.iter().any(|mine| mine.covers(class, g)))
    }

    /// The same heaps seen in another class that tracks at least as much.
    #[must_use]
    pub fn convert(&self, from: &Class, to: &Class) -> Region {
        if from == to {
            return self.clone();
        }
        if from.is_trivial() {
            return if self.is_empty() { Region::none() } else { Region::top(to) };
        }
        let mut region = Region::none();
        for graph in &self.graphs {
            for converted in convert(graph, from, to) {
                region.insert(to, converted);
            }
        }
        region
    }
}

/// One graph in a richer class. Cells that only the new pointers reach are unknown: they appear as summary
/// nodes of which nothing is known, in every combination of kinds.
fn convert(graph: &Graph, from: &Class, to: &Class) -> Vec<Graph> {
    let fresh = to.vars.iter().any(|v| from.var(*v).is_none());
    let kinds = if fresh { to.kinds.len().min(8) } else { 0 };
    let mut out = Vec::new();
    for subset in 0..1usize << kinds {
        let mut converted = carry(graph, from, to);
        let known = converted.nodes.len();
        for (_, &of) in to.kinds.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1) {
            let mut truths = Truths { can: to.all(), cannot: to.all() };
            for x in 0..to.vars.len() {
                if to.pointees[x] != of || from.var(to.vars[x]).is_some() {
                    truths.set(to.points(x), Kleene::False);
                }
            }
            converted.nodes.push(Node { of, truths, summary: true });
        }
        for node in known..converted.nodes.len() {
            for field in 0..to.fields.len() {
                let leads = |n: &Node| n.of == to.targets[field];
                let targets = converted.nodes.iter().enumerate().filter(|(_, n)| leads(n));
                let can = targets.fold(0u64, |m, (i, _)| m | 1 << i);
                let own = to.owners[field] == converted.nodes[node].of;
                converted.edges.push(if own {
                    Edge { can, must: 0, null: true, wild: true }
                } else {
                    Edge::default()
                });
            }
        }
        if coerce(to, &mut converted) {
            out.push(converted);
        }
    }
    out
}

/// The nodes of the graph with their predicates in the new positions, unknown ones at 1/2.
fn carry(graph: &Graph, from: &Class, to: &Class) -> Graph {
    let mut out = Graph::empty(to);
    out.values.clone_from(&graph.values);
    out.leaked = graph.leaked;
    out.null = mask(to.vars.len());
    out.wild = out.null;
    for (x, v) in to.vars.iter().enumerate() {
        if let Some(old) = from.var(*v) {
            out.null = out.null & !(1 << x) | (graph.null >> old & 1) << x;
            out.wild = out.wild & !(1 << x) | (graph.wild >> old & 1) << x;
        }
    }
    for (i, node) in graph.nodes.iter().enumerate() {
        let mut truths = Truths { can: to.all(), cannot: to.all() };
        let mut copy = |new: usize, old: Option<usize>| {
            if let Some(old) = old {
                truths.set(new, node.truths.get(old));
            }
        };
        copy(to.live(), Some(from.live()));
        for (x, v) in to.vars.iter().enumerate() {
            let old = from.var(*v);
            copy(to.points(x), old.map(|o| from.points(o)));
            if to.level >= 1 && from.level >= 1 {
                for (link, &field) in to.links.iter().enumerate() {
                    let old_link = from.links.iter().position(|&k| from.fields[k] == to.fields[field]);
                    copy(to.reached(x, link), old.zip(old_link).map(|(o, l)| from.reached(o, l)));
                }
            }
        }
        for (t, test) in to.tests.iter().enumerate() {
            copy(to.test(t), from.tests.binary_search(test).ok().map(|o| from.test(o)));
        }
        for (link, &field) in to.links.iter().enumerate() {
            let old_link = from.links.iter().position(|&k| from.fields[k] == to.fields[field]);
            if to.level >= 1 && from.level >= 1 {
                copy(to.cyclic(link), old_link.map(|l| from.cyclic(l)));
            }
            if to.level >= 2 && from.level >= 2 {
                copy(to.shared(link), old_link.map(|l| from.shared(l)));
            }
        }
        if to.level >= 2 && from.level >= 2 {
            for (p, pair) in to.pairs.iter().enumerate() {
                let name = |class: &Class, (k, l): (usize, usize)| {
                    (class.fields[class.links[k]], class.fields[class.links[l]])
                };
                let old = from.pairs.iter().position(|q| name(from, *q) == name(to, *pair));
                copy(to.inverse(p), old.map(|o| from.inverse(o)));
            }
        }
        // With more fields in view, more cells may point here.
        if to.level >= 3 && from.level >= 3 && to.fields == from.fields {
            copy(to.crowded(), Some(from.crowded()));
            copy(to.entered(), Some(from.entered()));
        }
        for x in 0..to.vars.len() {
            if to.pointees[x] != node.of {
                truths.set(to.points(x), Kleene::False);
            }
        }
        out.nodes.push(Node { of: node.of, truths, summary: node.summary });
        for field in &to.fields {
            let old = from.field(*field).map(|k| graph.edge(from, i, k));
            out.edges.push(old.unwrap_or_default());
        }
    }
    out
}
