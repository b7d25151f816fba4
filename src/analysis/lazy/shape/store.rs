//! Writing a pointer field of a cell: its old value is cut off, then the new one is joined.
//!
//! The update of "reached from" uses that the written cell has a name: after its field is cut, the cells reached
//! through it are those that were reached from the pointer itself.

use super::class::Class;
use super::coerce::coerce;
use super::focus::focus_var;
use super::graph::{Edge, Graph, Target, bits};
use super::transfer::{Effect, Outcome, Pointer, dereference};
use super::truths::Kleene;

/// `x->f = y` for a pointer field.
///
/// # Errors
/// If a graph grows too large.
pub fn store(class: &Class, graph: &Graph, x: usize, field: usize, value: Pointer) -> Outcome {
    let mut effect = Effect::default();
    for (mut case, node) in dereference(class, graph, x, &mut effect.fails)? {
        cut(class, &mut case, x, node, field);
        if !coerce(class, &mut case) {
            continue;
        }
        match value {
            Pointer::Null => effect.keep(class, case),
            Pointer::Unknown => {
                *case.edge_mut(class, node, field) = Edge { wild: true, ..Edge::default() };
                effect.keep(class, case);
            }
            Pointer::Var(y) => {
                for (mut case, target) in focus_var(class, &case, y)? {
                    match target {
                        Target::Null => {}
                        Target::Wild => {
                            *case.edge_mut(class, node, field) = Edge { wild: true, ..Edge::default() };
                        }
                        Target::Node(w) => join(class, &mut case, node, field, y, w),
                    }
                    effect.keep(class, case);
                }
            }
        }
    }
    Ok(effect)
}

/// All pointer fields of the cell that x names become null; `false` if there is no such heap.
pub(super) fn clear(class: &Class, graph: &mut Graph, x: usize, node: usize) -> bool {
    let of = graph.nodes[node].of;
    (0..class.fields.len()).filter(|field| class.owners[*field] == of).all(|field| {
        cut(class, graph, x, node, field);
        coerce(class, graph)
    })
}

/// The field of the cell that x names becomes null.
fn cut(class: &Class, graph: &mut Graph, x: usize, u: usize, field: usize) {
    let old = graph.clone();
    *graph.edge_mut(class, u, field) = Edge { null: true, ..Edge::default() };
    if class.level >= 2 {
        inverse_after_write(class, graph, u, field, None);
    }
    if class.level >= 3 {
        let c = class.crowded();
        for v in bits(old.edge(class, u, field).can) {
            graph.nodes[v].truths.set(c, old.get(v, c).and(Kleene::Half));
            let alone = old.edge(class, u, field).must >> v & 1 == 1 && old.get(v, c) == Kleene::False;
            let left = if alone { Kleene::False } else { Kleene::Half };
            graph.nodes[v].truths.set(class.entered(), old.get(v, class.entered()).and(left));
        }
    }
    let Some(link) = class.links.iter().position(|&k| k == field) else { return };
    if class.level == 0 {
        return;
    }
    let on_cycle = old.get(u, class.cyclic(link));
    let behind = old.edge(class, u, field).must;
    let enters = |s: usize| {
        behind != 0
            && (behind == 1 << s
                || old.get(s, class.cyclic(link)) == Kleene::False
                    && old.edge(class, s, field).must == behind)
    };
    let start = |z: usize| (0..old.nodes.len()).find(|&s| old.get(s, class.points(z)) == Kleene::True);
    let starts: Vec<Option<usize>> = (0..class.vars.len()).map(start).collect();
    for v in 0..old.nodes.len() {
        let from_x = old.get(v, class.reached(x, link));
        for (z, &start) in starts.iter().enumerate() {
            let r = class.reached(z, link);
            match start {
                // Its path ends here now.
                Some(s) if s == u => {
                    graph.nodes[v].truths.set(r, Kleene::from(v == u));
                    continue;
                }
                // It enters the cycle right behind u, so it goes all around until u.
                Some(s) if on_cycle == Kleene::True && enters(s) => continue,
                _ => {}
            }
            // Through u, unless v lies before u, which only a cycle allows.
            let through = if v == u { Kleene::False } else { old.get(u, r).and(from_x) };
            let through = if on_cycle.may() && through == Kleene::True { Kleene::Half } else { through };
            graph.nodes[v].truths.set(r, old.get(v, r).and(through.negated()));
        }
        let c = old.get(v, class.cyclic(link));
        graph.nodes[v].truths.set(class.cyclic(link), c.and(on_cycle.and(from_x).negated()));
        if class.level >= 2 && old.edge(class, u, field).can >> v & 1 == 1 {
            let shared = old.get(v, class.shared(link)).and(Kleene::Half);
            graph.nodes[v].truths.set(class.shared(link), shared);
        }
    }
}

/// The field of the cell `u`, null so far, is set to the cell `w` that y names.
fn join(class: &Class, graph: &mut Graph, u: usize, field: usize, y: usize, w: usize) {
    let old = graph.clone();
    *graph.edge_mut(class, u, field) = Edge { can: 1 << w, must: 1 << w, null: false, wild: false };
    if class.level >= 2 {
        inverse_after_write(class, graph, u, field, Some(w));
    }
    if class.level >= 3 {
        let fields: Vec<usize> = (0..class.fields.len()).collect();
        let others = predecessors(class, &old, u, field, w, &fields);
        let c = class.crowded();
        graph.nodes[w].truths.set(c, old.get(w, c).or(others));
        graph.nodes[w].truths.set(class.entered(), Kleene::True);
    }
    let Some(link) = class.links.iter().position(|&k| k == field) else { return };
    if class.level == 0 {
        return;
    }
    // u had no successor, so if w reaches u, what w reaches is the path from w to u.
    let closes = old.get(u, class.reached(y, link));
    for v in 0..old.nodes.len() {
        let from_y = old.get(v, class.reached(y, link));
        for z in 0..class.vars.len() {
            let r = class.reached(z, link);
            graph.nodes[v].truths.set(r, old.get(v, r).or(old.get(u, r).and(from_y)));
        }
        let c = class.cyclic(link);
        graph.nodes[v].truths.set(c, old.get(v, c).or(closes.and(from_y)));
    }
    if class.level >= 2 {
        let s = class.shared(link);
        let others = predecessors(class, &old, u, field, w, &[field]);
        graph.nodes[w].truths.set(s, old.get(w, s).or(others));
    }
}

/// Whether one of the fields leads to `w`, not counting this field of `u`.
fn predecessors(class: &Class, graph: &Graph, u: usize, field: usize, w: usize, fields: &[usize]) -> Kleene {
    let (mut may, mut must) = (false, false);
    for v in 0..graph.nodes.len() {
        for &f in fields.iter().filter(|&&f| (v, f) != (u, field)) {
            let edge = graph.edge(class, v, f);
            may |= edge.can >> w & 1 == 1;
            must |= edge.must >> w & 1 == 1;
        }
    }
    match (must, may) {
        (true, _) => Kleene::True,
        (false, true) => Kleene::Half,
        (false, false) => Kleene::False,
    }
}

/// "Leads back" after the field of the cell `u` was set to the single cell `target`, or to no cell.
fn inverse_after_write(class: &Class, graph: &mut Graph, u: usize, field: usize, target: Option<usize>) {
    for (pair, &(k, l)) in class.pairs.iter().enumerate() {
        let (there, back) = (class.links[k], class.links[l]);
        let p = class.inverse(pair);
        if there == field {
            let value = target.map_or(Kleene::True, |w| {
                let reverse = graph.edge(class, w, back);
                match (reverse.must >> u & 1 == 1, reverse.can >> u & 1 == 1) {
                    (true, _) => Kleene::True,
                    (false, true) => Kleene::Half,
                    (false, false) => Kleene::False,
                }
            });
            graph.nodes[u].truths.set(p, value);
        }
        if back == field {
            for v in 0..graph.nodes.len() {
                let edge = graph.edge(class, v, there);
                if edge.can >> u & 1 == 1 {
                    let fits = Kleene::from(target == Some(v));
                    let certain = edge.must >> u & 1 == 1;
                    let value = if certain || graph.get(v, p) == fits { fits } else { Kleene::Half };
                    graph.nodes[v].truths.set(p, value);
                }
            }
        }
    }
}
