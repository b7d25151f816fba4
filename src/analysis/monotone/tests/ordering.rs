//! The embedding and its filter against the closure of the literal ordering steps.

use super::heaps::{down, heaps, random_below, random_heap};
use crate::analysis::monotone::order::{Profile, below};
use crate::analysis::monotone::signature::Signature;
use crate::util::hash::Set;
use crate::util::rng::Rng;

/// All signatures below the heaps, without the marks unless asked for.
fn signatures_below(heaps: &[Signature], marks: bool) -> Vec<Signature> {
    let mut all: Set<Signature> = Set::default();
    for heap in heaps {
        all.extend(down(&unmarked(heap, marks)));
    }
    let mut all: Vec<Signature> = all.into_iter().collect();
    all.sort_unstable();
    all
}

fn unmarked(heap: &Signature, marks: bool) -> Signature {
    let mut heap = *heap;
    if !marks {
        heap.forget_direct();
        heap.nodes().for_each(|c| heap.set_closed(c, false));
    }
    heap
}

fn compare(all: &[Signature], larger: usize, pairs: usize, rng: &mut Rng) -> usize {
    let mut positive = 0;
    for _ in 0..larger {
        let big = rng.pick(all);
        let closure = down(big);
        let profile = Profile::of(big);
        for small in &closure {
            assert!(below(small, big), "missed: {small:?} below {big:?}");
            assert!(Profile::of(small).may_be_below(&profile), "filtered: {small:?} below {big:?}");
        }
        for _ in 0..pairs {
            let small = rng.pick(all);
            assert_eq!(below(small, big), closure.contains(small), "{small:?} and {big:?}");
            positive += usize::from(closure.contains(small));
        }
    }
    positive
}

#[test]
fn embedding_is_the_closure_of_the_ordering_steps() {
    let mut rng = Rng::new(1);
    let mut base = heaps(0, 2, 2);
    base.extend(heaps(1, 2, 2));
    let two = heaps(2, 2, 2);
    assert_eq!((base.len(), two.len()), (85, 2080));
    base.extend((0..30).map(|_| *rng.pick(&two)));
    let all = signatures_below(&base, false);
    assert!(compare(&all, 300, 600, &mut rng) > 500);
}

#[test]
fn embedding_with_marks_is_the_closure_of_the_ordering_steps() {
    let mut rng = Rng::new(2);
    let mut base = heaps(1, 2, 1);
    base.extend((0..8).map(|_| random_heap(2, 2, 1, &mut rng)));
    let all = signatures_below(&base, true);
    assert!(compare(&all, 120, 500, &mut rng) > 200);
}

#[test]
fn samples_of_three_and_four_cells_are_below_their_heap() {
    let mut rng = Rng::new(3);
    for round in 0..3000 {
        let heap = random_heap(3 + round % 2, 2 + round % 2, 3, &mut rng);
        let heap = unmarked(&heap, round % 3 == 0);
        let small = random_below(&heap, 14, &mut rng);
        assert!(below(&small, &heap), "{small:?} below {heap:?}");
        assert!(Profile::of(&small).may_be_below(&Profile::of(&heap)), "{small:?} below {heap:?}");
        let smaller = random_below(&small, 4, &mut rng);
        assert!(below(&smaller, &small) && below(&smaller, &heap));
        assert!(smaller == small || !below(&small, &smaller) || smaller.canonical() == small.canonical());
    }
}

#[test]
fn canonical_form_does_not_depend_on_the_numbering() {
    let mut rng = Rng::new(4);
    for _ in 0..2000 {
        let heap = random_heap(4, 2, 2, &mut rng);
        let s = random_below(&heap, 12, &mut rng);
        // Removing and adding cells renumbers the others.
        let mut t = s;
        if t.room() == 0 {
            continue;
        }
        let extra = t.add_cell();
        let mut swapped = t;
        if !s.is_empty() {
            let cell = crate::analysis::monotone::signature::Node::cell(rng.below(s.len()));
            swapped = swap(&t, cell, extra);
            swapped.remove_cell(cell, crate::analysis::monotone::signature::Node::ABSENT);
        } else {
            swapped.remove_cell(extra, crate::analysis::monotone::signature::Node::ABSENT);
        }
        assert_eq!(swapped.canonical(), s.canonical());
        assert!(below(&swapped, &s) && below(&s, &swapped));
    }
}

/// Exchanges two cells.
fn swap(
    s: &Signature,
    a: crate::analysis::monotone::signature::Node,
    b: crate::analysis::monotone::signature::Node,
) -> Signature {
    let moved = |t| {
        if t == a {
            b
        } else if t == b {
            a
        } else {
            t
        }
    };
    let mut out = *s;
    for node in s.nodes() {
        let mut cell = s.cells[node.index()];
        for c in 0..cell.coloured.len() {
            let direct = cell.is_direct(c);
            cell.set(c, moved(cell.coloured[c]), direct);
        }
        cell.decoloured = cell.decoloured.map(moved);
        cell.decoloured.sort_unstable();
        out.cells[moved(node).index()] = cell;
        out.set_closed(moved(node), s.is_closed(node));
    }
    out.labels = out.labels.map(moved);
    out
}
