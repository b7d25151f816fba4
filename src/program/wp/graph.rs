//! The loops of a control-flow graph, by dominators.
//!
//! A *back edge* leads to a location that dominates its source; that location is a *header*, and the
//! locations that lead to the source without passing the header are the loop's body. Without its back edges
//! a reducible graph has no cycle, and every path between two headers is a straight piece. A graph that
//! enters a loop in the middle (`goto`) is not reducible and is refused.

use crate::program::cfg::Program;
use crate::program::decl::{EdgeId, LocationId};

/// The shape of a graph.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Locations reached from the entry; each after its predecessors, back edges apart.
    pub order: Vec<LocationId>,
    /// By edge.
    pub is_back: Vec<bool>,
    /// By location: the edges of the loop of which it is the header.
    pub bodies: Vec<Option<Vec<EdgeId>>>,
}

/// A cycle that is entered in the middle: one of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irreducible(pub EdgeId);

impl Loops {
    /// Finds the loops.
    ///
    /// # Errors
    /// If the graph is not reducible.
    pub fn of(program: &Program) -> Result<Loops, Irreducible> {
        let (successors, predecessors) = (program.successors(), program.predecessors());
        let postorder = postorder(program, &successors);
        let mut number = vec![usize::MAX; program.locations as usize];
        for (i, location) in postorder.iter().enumerate() {
            number[location.index()] = i;
        }
        let dominator = dominators(program, &postorder, &number, &predecessors);
        let dominates = |a: LocationId, b: LocationId| {
            let mut at = b;
            // Dominators have larger numbers.
            while number[at.index()] < number[a.index()] {
                at = dominator[at.index()];
            }
            at == a
        };
        let reached = |l: LocationId| number[l.index()] != usize::MAX;
        let mut is_back = vec![false; program.edges.len()];
        let mut bodies: Vec<Option<Vec<EdgeId>>> = vec![None; program.locations as usize];
        for (i, edge) in program.edges.iter().enumerate() {
            if !reached(edge.from) {
                continue;
            }
            if dominates(edge.to, edge.from) {
                is_back[i] = true;
                bodies[edge.to.index()].get_or_insert_default();
            } else if number[edge.to.index()] >= number[edge.from.index()] {
                return Err(Irreducible(EdgeId(u32::try_from(i).unwrap_or(u32::MAX))));
            }
        }
        for (header, edges) in bodies.iter_mut().enumerate() {
            if let Some(edges) = edges {
                let header = LocationId(u32::try_from(header).unwrap_or(u32::MAX));
                *edges = body(program, header, &predecessors, &is_back, &reached);
            }
        }
        let order = postorder.into_iter().rev().collect();
        Ok(Loops { order, is_back, bodies })
    }
}

fn postorder(program: &Program, successors: &[Vec<EdgeId>]) -> Vec<LocationId> {
    let mut seen = vec![false; program.locations as usize];
    let mut order = Vec::new();
    let mut stack = vec![(program.entry, 0)];
    seen[program.entry.index()] = true;
    while let Some((location, next)) = stack.last_mut() {
        match successors[location.index()].get(*next) {
            Some(edge) => {
                *next += 1;
                let to = program.edges[edge.index()].to;
                if !seen[to.index()] {
                    seen[to.index()] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*location);
                stack.pop();
            }
        }
    }
    order
}

/// The immediate dominator of every reached location (Cooper, Harvey, Kennedy).
fn dominators(
    program: &Program,
    postorder: &[LocationId],
    number: &[usize],
    predecessors: &[Vec<EdgeId>],
) -> Vec<LocationId> {
    let unknown = LocationId(u32::MAX);
    let mut dominator = vec![unknown; program.locations as usize];
    dominator[program.entry.index()] = program.entry;
    let mut changed = true;
    while changed {
        changed = false;
        for &location in postorder.iter().rev().filter(|l| **l != program.entry) {
            let mut new = unknown;
            for edge in &predecessors[location.index()] {
                let from = program.edges[edge.index()].from;
                if number[from.index()] == usize::MAX || dominator[from.index()] == unknown {
                    continue;
                }
                new = if new == unknown { from } else { meet(&dominator, number, new, from) };
            }
            if new != dominator[location.index()] {
                dominator[location.index()] = new;
                changed = true;
            }
        }
    }
    dominator
}

fn meet(dominator: &[LocationId], number: &[usize], mut a: LocationId, mut b: LocationId) -> LocationId {
    while a != b {
        while number[a.index()] < number[b.index()] {
            a = dominator[a.index()];
        }
        while number[b.index()] < number[a.index()] {
            b = dominator[b.index()];
        }
    }
    a
}

/// The edges of the natural loop of a header.
fn body(
    program: &Program,
    header: LocationId,
    predecessors: &[Vec<EdgeId>],
    is_back: &[bool],
    reached: &dyn Fn(LocationId) -> bool,
) -> Vec<EdgeId> {
    let mut inside = vec![false; program.locations as usize];
    inside[header.index()] = true;
    let mut edges = Vec::new();
    let mut stack: Vec<LocationId> = Vec::new();
    for edge in &predecessors[header.index()] {
        let from = program.edges[edge.index()].from;
        if is_back[edge.index()] && reached(from) {
            edges.push(*edge);
            if !inside[from.index()] {
                inside[from.index()] = true;
                stack.push(from);
            }
        }
    }
    while let Some(location) = stack.pop() {
        for edge in &predecessors[location.index()] {
            let from = program.edges[edge.index()].from;
            if !reached(from) {
                continue;
            }
            edges.push(*edge);
            if !inside[from.index()] {
                inside[from.index()] = true;
                stack.push(from);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
