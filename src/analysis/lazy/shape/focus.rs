//! Focus: makes a pointer's value definite by a case distinction.
//!
//! The result stands for the same heaps. A summary node that a pointer may lead to is tried both as exactly
//! that cell and split into that cell and the rest.

use super::class::Class;
use super::coerce::coerce;
use super::graph::{Edge, Graph, NODES, Target, bits};
use super::truths::Kleene;

/// A graph has too many nodes to split another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The cases, each with where the pointer leads.
pub type Cases = Result<Vec<(Graph, Target)>, TooLarge>;

/// Cases for the value of a variable.
///
/// # Errors
/// If the graph is too large to be split.
pub fn focus_var(class: &Class, graph: &Graph, x: usize) -> Cases {
    let p = class.points(x);
    if let Some(node) = (0..graph.nodes.len()).find(|&i| graph.get(i, p) == Kleene::True) {
        return Ok(vec![(graph.clone(), Target::Node(node))]);
    }
    let mut cases = Vec::new();
    for (possible, target) in [(graph.null, Target::Null), (graph.wild, Target::Wild)] {
        if possible >> x & 1 == 1 {
            let mut case = graph.clone();
            case.point(class, x, target);
            push(class, &mut cases, case, target);
        }
    }
    for node in (0..graph.nodes.len()).filter(|&i| graph.get(i, p).may()) {
        for (mut case, cell) in single_out(class, graph, node)? {
            case.point(class, x, Target::Node(cell));
            push(class, &mut cases, case, Target::Node(cell));
        }
    }
    Ok(cases)
}

/// Cases for the value of a field of a single cell.
///
/// # Errors
/// If the graph is too large to be split.
pub fn focus_field(class: &Class, graph: &Graph, node: usize, field: usize) -> Cases {
    let edge = graph.edge(class, node, field);
    if edge.must != 0 {
        return Ok(vec![(graph.clone(), Target::Node(edge.must.trailing_zeros() as usize))]);
    }
    let mut cases = Vec::new();
    for (possible, target) in [(edge.null, Target::Null), (edge.wild, Target::Wild)] {
        if possible {
            let mut case = graph.clone();
            let wild = target == Target::Wild;
            *case.edge_mut(class, node, field) = Edge { can: 0, must: 0, null: !wild, wild };
            push(class, &mut cases, case, target);
        }
    }
    for target in bits(edge.can) {
        // The cell itself is single already, so only its targets are split.
        for (mut case, cell) in single_out(class, graph, target)? {
            *case.edge_mut(class, node, field) =
                Edge { can: 1 << cell, must: 1 << cell, null: false, wild: false };
            push(class, &mut cases, case, Target::Node(cell));
        }
    }
    Ok(cases)
}

/// The node as exactly one cell, and one cell split off from it.
fn single_out(class: &Class, graph: &Graph, node: usize) -> Result<Vec<(Graph, usize)>, TooLarge> {
    let mut alone = graph.clone();
    alone.nodes[node].summary = false;
    let mut cases = vec![(alone, node)];
    if graph.nodes[node].summary {
        if graph.nodes.len() + 2 >= NODES {
            return Err(TooLarge);
        }
        let mut split = graph.clone();
        let cell = split.nodes.len();
        split.nodes.push(super::graph::Node { summary: false, ..graph.nodes[node] });
        for field in 0..class.fields.len() {
            split.edges.push(graph.edge(class, node, field));
        }
        for edge in &mut split.edges {
            if edge.can >> node & 1 == 1 {
                edge.can |= 1 << cell;
            }
        }
        cases.push((split, cell));
    }
    Ok(cases)
}

fn push(class: &Class, cases: &mut Vec<(Graph, Target)>, mut case: Graph, target: Target) {
    if coerce(class, &mut case) {
        cases.push((case, target));
    }
}
