//! Predecessors of allocation and `free`.

use super::{CELLS, Rules, VarIx, place, with_edge_to_closed, without};
use crate::analysis::monotone::signature::{MAX_COLOURS, MAX_VARS, Node, Signature};

/// References to `*` beyond which `free` forgets them instead of trying each subset.
const MAX_REDIRECTED: usize = 6;

/// Before an allocation.
pub(super) fn alloc(s: &Signature, x: VarIx, zeroed: bool, out: &mut Vec<Signature>) {
    let mut placed = Vec::new();
    place(s, x, CELLS, &mut placed);
    for mut t in placed {
        let new = t.labels[x as usize];
        if zeroed && t.cells[new.index()].targets().any(|t| t != Node::NULL) {
            continue;
        }
        t.labels[x as usize] = Node::ABSENT;
        remove_allocated(t, new, 0, out);
    }
}

/// Removes the new cell. An edge from it to an in-closed cell was written by the allocation, or it stands for
/// a path whose last step was there before and has to be shown.
fn remove_allocated(mut s: Signature, new: Node, slot: usize, out: &mut Vec<Signature>) {
    let cell = s.cells[new.index()];
    if slot == 2 * MAX_COLOURS {
        s.remove_cell(new, Node::DANGLING);
        out.push(s);
        return;
    }
    let colour = (slot < MAX_COLOURS).then_some(slot);
    let target = colour.map_or_else(|| cell.decoloured[slot - MAX_COLOURS], |c| cell.coloured[c]);
    let is_path = colour.is_none_or(|c| !cell.is_direct(c));
    if target != new && s.is_closed(target) && is_path {
        let mut longer = s;
        let last = longer.add_cell();
        match colour {
            Some(c) => longer.cells[last.index()].set(c, target, false),
            None => longer.cells[last.index()].add_loose(target),
        }
        remove_allocated(longer, new, slot + 1, out);
    }
    remove_allocated(s, new, slot + 1, out);
}

/// Before a `free`.
pub(super) fn free(s: &Signature, x: VarIx, rules: &Rules, out: &mut Vec<Signature>) {
    let label = s.labels[x as usize];
    if label.is_known() && label != Node::DANGLING {
        return;
    }
    let mut t = without(s, x);
    let references = references_to_dangling(&t);
    let freed = t.add_cell();
    t.labels[x as usize] = freed;
    if references.len() > MAX_REDIRECTED {
        references.iter().for_each(|r| r.point(&mut t, Node::ABSENT));
        tidy_loose(&mut t);
        freed_fields(t, freed, 0, rules, out);
        return;
    }
    for chosen in 0..1u32 << references.len() {
        let mut u = t;
        for (i, reference) in references.iter().enumerate() {
            if chosen & (1 << i) != 0 {
                reference.point(&mut u, freed);
            }
        }
        tidy_loose(&mut u);
        freed_fields(u, freed, 0, rules, out);
    }
}

/// Each field of the freed cell may have been an in-edge of an in-closed cell.
fn freed_fields(s: Signature, freed: Node, colour: usize, rules: &Rules, out: &mut Vec<Signature>) {
    if colour == rules.colours || !s.has_closed() {
        out.push(s);
        return;
    }
    let mut choices = vec![s];
    with_edge_to_closed(s, freed, colour, &mut choices);
    choices.into_iter().for_each(|t| freed_fields(t, freed, colour + 1, rules, out));
}

enum Reference {
    Label(usize),
    Coloured(usize, usize),
    Loose(usize, usize),
}

impl Reference {
    fn point(&self, s: &mut Signature, node: Node) {
        match *self {
            Reference::Label(v) => s.labels[v] = node,
            Reference::Coloured(i, c) => {
                let direct = s.cells[i].is_direct(c);
                s.cells[i].set(c, node, direct);
            }
            Reference::Loose(i, d) => s.cells[i].decoloured[d] = node,
        }
    }
}

fn references_to_dangling(s: &Signature) -> Vec<Reference> {
    let labels = (0..MAX_VARS).filter(|v| s.labels[*v] == Node::DANGLING).map(Reference::Label);
    let mut all: Vec<Reference> = labels.collect();
    for (i, cell) in s.cells[..s.len()].iter().enumerate() {
        for c in 0..MAX_COLOURS {
            if cell.coloured[c] == Node::DANGLING {
                all.push(Reference::Coloured(i, c));
            }
            if cell.decoloured[c] == Node::DANGLING {
                all.push(Reference::Loose(i, c));
            }
        }
    }
    all
}

/// Restores the order of decoloured targets.
fn tidy_loose(s: &mut Signature) {
    let len = s.len();
    s.cells[..len].iter_mut().for_each(|c| c.decoloured.sort_unstable());
}
