//! Predecessors of every command against the command run on heaps.

use super::heaps::{Run, commands, down, heaps, random_below, random_heap, run};
use crate::analysis::monotone::order::below;
use crate::analysis::monotone::pre::{Op, Rules, growth, predecessors};
use crate::analysis::monotone::signature::{Node, Signature};
use crate::util::hash::Set;
use crate::util::rng::Rng;

/// What one comparison found.
#[derive(Default, Debug, PartialEq, Eq)]
struct Tally {
    tests: u64,
    positive: u64,
    missing: u64,
    extra: u64,
}

fn pre(op: Op, s: &Signature, rules: &Rules) -> Vec<Signature> {
    assert!(s.room() >= growth(s));
    let mut out = Vec::new();
    predecessors(op, s, rules, &mut out);
    out
}

/// Some predecessor below the heap, if and only if some result above the signature.
fn check(
    op: Op,
    s: &Signature,
    before: &[Signature],
    heap: &Signature,
    after: &[Signature],
    tally: &mut Tally,
) {
    let predicted = before.iter().any(|p| below(p, heap));
    let real = after.iter().any(|h| below(s, h));
    tally.tests += 1;
    tally.positive += u64::from(real);
    tally.missing += u64::from(real && !predicted);
    if predicted && !real {
        tally.extra += 1;
        let may = matches!(op, Op::Load { .. }) || s.has_closed();
        assert!(may, "{op:?} is inexact: {s:?} on {heap:?}");
    }
    assert!(!real || predicted, "{op:?} misses a predecessor of {s:?}: {heap:?}");
}

/// The results of a command, up to isomorphism.
fn results(heap: &Signature, op: Op, colours: usize) -> Option<Vec<Signature>> {
    match run(heap, op, colours) {
        Run::Fails => None,
        Run::Ends(all) => {
            let all: Set<Signature> = all.iter().map(Signature::canonical).collect();
            Some(all.into_iter().collect())
        }
    }
}

#[test]
fn exact_on_all_heaps_of_two_cells() {
    let small = [heaps(0, 2, 2), heaps(1, 2, 2)].concat();
    let mut signatures: Set<Signature> = Set::default();
    for heap in &small {
        let mut heap = *heap;
        heap.forget_direct();
        heap.nodes().for_each(|c| heap.set_closed(c, false));
        signatures.extend(down(&heap));
    }
    let mut signatures: Vec<Signature> = signatures.into_iter().collect();
    signatures.sort_unstable();
    assert_eq!(signatures.len(), 697);
    let all = [small, heaps(2, 2, 2)].concat();
    let rules = Rules { colours: 2, direct: false };
    let mut tally = Tally::default();
    let mut rng = Rng::new(5);
    for op in commands(2) {
        let results: Vec<_> = all.iter().map(|h| results(h, op, 2)).collect();
        // Every signature meets every command; of the heaps each meets a fresh sample.
        for s in &signatures {
            let before = pre(op, s, &rules);
            for _ in 0..60 {
                let i = rng.below(all.len());
                if let Some(after) = &results[i] {
                    check(op, s, &before, &all[i], after, &mut tally);
                }
            }
        }
    }
    assert_eq!(tally.missing, 0);
    assert!(tally.positive > 10_000 && tally.extra < tally.tests / 1000, "{tally:?}");
}

#[test]
fn every_signature_below_a_result_has_a_predecessor() {
    let rules = Rules { colours: 2, direct: false };
    let mut rng = Rng::new(6);
    let two = heaps(2, 2, 2);
    for op in commands(2) {
        for _ in 0..150 {
            let heap = rng.pick(&two);
            for after in results(heap, op, 2).into_iter().flatten().take(3) {
                let mut after = after;
                after.forget_direct();
                after.nodes().for_each(|c| after.set_closed(c, false));
                let s = random_below(&after, 10, &mut rng);
                let before = pre(op, &s, &rules);
                assert!(before.iter().any(|p| below(p, heap)), "{op:?}: {s:?} after {heap:?}");
            }
        }
    }
}

/// Random heaps and signatures, with the marks as asked.
fn random_exactness(
    colours: usize,
    cells: usize,
    direct: bool,
    closed: bool,
    rounds: usize,
    seed: u64,
) -> Tally {
    let mut rng = Rng::new(seed);
    let all = commands(colours);
    let rules = Rules { colours, direct };
    let mut tally = Tally::default();
    for _ in 0..rounds {
        let heap = random_heap(cells, colours, 2, &mut rng);
        let op = *rng.pick(&all);
        let Some(after) = results(&heap, op, colours) else { continue };
        if after.is_empty() {
            continue;
        }
        let mut start = *rng.pick(&after);
        if !direct {
            start.forget_direct();
        }
        if !closed {
            start.nodes().for_each(|c| start.set_closed(c, false));
        }
        let s = random_below(&start, 4 * cells + 8, &mut rng);
        let before = pre(op, &s, &rules);
        check(op, &s, &before, &heap, &after, &mut tally);
        // The same signature on heaps nearby.
        for changes in 1..4 {
            let mut other = heap;
            for _ in 0..changes {
                let node = [Node::NULL, Node::DANGLING, Node::cell(rng.below(cells))][rng.below(3)];
                if rng.one_in(3) {
                    other.labels[rng.below(2)] = node;
                } else {
                    other.cells[rng.below(cells)].set(rng.below(colours), node, true);
                }
            }
            if let Some(after) = results(&other, op, colours) {
                check(op, &s, &before, &other, &after, &mut tally);
            }
        }
    }
    tally
}

#[test]
fn samples_of_three_and_four_cells() {
    for (colours, cells, seed) in [(2, 3, 7), (2, 4, 8), (3, 3, 9)] {
        let tally = random_exactness(colours, cells, false, false, 1500, seed);
        assert!(tally.positive > 500, "{tally:?}");
    }
}

#[test]
fn direct_edges_make_loads_exact() {
    let tally = random_exactness(2, 3, true, false, 3000, 10);
    assert_eq!((tally.missing, tally.extra), (0, 0), "{tally:?}");
    let tally = random_exactness(2, 3, true, true, 3000, 11);
    assert_eq!((tally.missing, tally.extra), (0, 0), "{tally:?}");
}

#[test]
fn in_closed_cells_lose_no_predecessor() {
    let tally = random_exactness(2, 3, false, true, 3000, 12);
    assert!(tally.missing == 0 && tally.positive > 1000 && tally.extra < tally.tests / 500, "{tally:?}");
}
