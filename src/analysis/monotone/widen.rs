//! Widening: signatures of many cells lose the interior of their paths.
//!
//! A cell that no variable labels, with one edge in and one edge out, becomes part of one edge: of the common colour, or a
//! decoloured one. The result is below the signature, so it stands for more heaps, and what a search proves with it holds.
//! Along a tree a search meets every word of `left` and `right` by which a cell can be reached; a decoloured edge
//! stands for all of them. On doubly linked lists this gives false alarms, because `prev` and `next` lead back and forth, so
//! it is tried last, and only where trees are spoken of.

use super::signature::{Node, Signature};

/// Shortens paths until at most so many cells are left, or nothing can be shortened.
pub fn widen(s: &mut Signature, cells: usize) {
    while s.len() > cells {
        let Some(shorter) = s.nodes().find_map(|cell| without(s, cell)) else { return };
        *s = shorter;
    }
}

/// Without a cell that lies inside a path; `None` if it does not.
fn without(s: &Signature, cell: Node) -> Option<Signature> {
    let inner = &s.cells[cell.index()];
    if s.is_labelled(cell) || s.is_closed(cell) || inner.degree() != 1 || s.in_degree(cell) != 1 {
        return None;
    }
    let source = s.nodes().find(|p| s.cells[p.index()].targets().any(|t| t == cell))?;
    let target = inner.targets().next()?;
    if source == cell || s.is_closed(target) {
        return None;
    }
    let mut shorter = *s;
    let from = &mut shorter.cells[source.index()];
    match from.coloured.iter().position(|t| *t == cell) {
        Some(colour) if inner.coloured[colour].is_known() => from.set(colour, target, false),
        Some(colour) => {
            from.remove(colour);
            from.add_loose(target);
        }
        None => {
            from.remove_loose(cell);
            from.add_loose(target);
        }
    }
    shorter.remove_cell(cell, Node::ABSENT);
    Some(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::monotone::order::below;
    use crate::analysis::monotone::tests::heaps::{random_below, random_heap};
    use crate::util::rng::Rng;

    #[test]
    fn a_widened_signature_is_below() {
        let mut rng = Rng::new(5);
        let mut shortened = 0;
        for _ in 0..10_000 {
            let heap = random_heap(3 + rng.below(4), 2, 1, &mut rng);
            let s = random_below(&heap, 4 + rng.below(12), &mut rng);
            let mut wide = s;
            widen(&mut wide, rng.below(3));
            assert!(below(&wide, &s), "{wide:?} is not below {s:?}");
            shortened += usize::from(wide != s);
        }
        assert!(shortened > 200, "{shortened}");
    }
}
