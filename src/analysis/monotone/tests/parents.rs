//! Trees with parents, and trees among other link fields: patterns against enumeration.

use super::heaps::{heaps, random_heap};
use crate::analysis::monotone::order::below;
use crate::analysis::monotone::shape::{Kind, Shape, excluded_cells, excluded_root, no_tree, strangers};
use crate::analysis::monotone::signature::{Node, Signature};
use crate::util::rng::Rng;

/// All trees of `n` cells with left, right, up, and the root as first label.
fn trees(n: usize) -> Vec<Signature> {
    let mut out = Vec::new();
    let mut heap = Signature::EMPTY;
    (0..n).for_each(|_| {
        heap.add_cell();
    });
    heap.labels[0] = if n == 0 { Node::NULL } else { Node::cell(0) };
    fill(heap, vec![(0, n, Node::NULL)], &mut out);
    out
}

/// Builds the open subtrees: first cell in preorder, size, parent.
fn fill(mut heap: Signature, mut open: Vec<(usize, usize, Node)>, out: &mut Vec<Signature>) {
    let Some((top, size, parent)) = open.pop() else {
        heap.make_total();
        out.push(heap);
        return;
    };
    if size == 0 {
        return fill(heap, open, out);
    }
    for left in 0..size {
        let (first, second) = (top + 1, top + 1 + left);
        let child = |at: usize, n: usize| if n == 0 { Node::NULL } else { Node::cell(at) };
        heap.cells[top].set(0, child(first, left), true);
        heap.cells[top].set(1, child(second, size - 1 - left), true);
        heap.cells[top].set(2, parent, true);
        let here = Node::cell(top);
        let mut open = open.clone();
        open.extend([(first, left, here), (second, size - 1 - left, here)]);
        fill(heap, open, out);
    }
}

#[test]
fn no_tree_with_parents_contains_what_they_exclude() {
    let kind = Kind::Tree { left: 0, right: 1, up: Some(2) };
    let shape = Shape { kind, root: 0, tail: None };
    let mut patterns = excluded_cells(kind, 3);
    patterns.extend(excluded_root(shape, 3));
    patterns.extend(strangers(shape, 3));
    for n in 0..6 {
        for tree in trees(n) {
            for p in &patterns {
                assert!(!below(p, &tree), "{p:?} is below {tree:?}");
            }
        }
    }
    // Without one of them a wrong parent would go unnoticed.
    let mut wrong = trees(3).remove(0);
    wrong.cells[2].set(2, Node::NULL, true);
    assert!(patterns.iter().any(|p| below(p, &wrong)));
}

/// Whether left and right are a tree from the first label: nothing dangles, no cell is led to twice.
fn is_tree(heap: &Signature) -> bool {
    let mut open = vec![heap.labels[0]];
    let mut seen = Vec::new();
    while let Some(node) = open.pop() {
        if node == Node::DANGLING || seen.contains(&node) {
            return false;
        }
        if node.is_cell() {
            seen.push(node);
            open.extend([0, 1].map(|c| heap.cells[node.index()].coloured[c]));
        }
    }
    true
}

#[test]
fn broken_trees_are_covered_whatever_the_other_fields() {
    let patterns = no_tree(0, 1, 0, 3);
    let mut rng = Rng::new(17);
    let random = (0..4000).map(|i| random_heap(3 + i % 3, 3, 1, &mut rng));
    let mut broken = 0;
    for heap in heaps(1, 3, 1).into_iter().chain(random) {
        if !is_tree(&heap) {
            broken += 1;
            assert!(patterns.iter().any(|p| below(p, &heap)), "{heap:?}");
        }
    }
    assert!(broken > 1000, "{broken}");
    for tree in (0..5).flat_map(trees) {
        assert!(is_tree(&tree) && !patterns.iter().any(|p| below(p, &tree)), "{tree:?}");
    }
}
