//! The transformers against the best one, on tiny heaps.
//!
//! The best image of a graph is the abstraction of the successors of all heaps that it stands for. Among heaps of at most
//! three cells with one link they can be listed: what the transformer's image contains beyond the best image
//! is lost precision, and it is counted.

use super::tests::{Heap, Ptr, Step, abstract_run, contains, exact, program, run, stands_for};
use super::transfer::Pointer;
use super::{Class, Region};
use crate::program::VarId;

/// All heaps of this many cells: three variables and one link are null or a cell.
fn heaps(cells: usize) -> Vec<Heap> {
    let choice = cells + 1;
    let places = 3 + cells;
    let pointer = |n: usize| if n == 0 { Ptr::Null } else { Ptr::Cell(n - 1) };
    (0..choice.pow(places as u32))
        .map(|code| {
            let at = |i: usize| pointer(code / choice.pow(i as u32) % choice);
            Heap {
                vars: (0..3).map(at).collect(),
                links: (3..places).map(|i| [at(i), Ptr::Null]).collect(),
                datum: vec![0; cells],
                live: vec![true; cells],
                value: None,
            }
        })
        .collect()
}

fn steps() -> Vec<Step> {
    let pointers = [Pointer::Null, Pointer::Var(1)];
    let mut all = vec![Step::Load(0, 1, 0), Step::Load(1, 1, 0), Step::Free(0)];
    for p in pointers {
        all.push(Step::Assign(0, p));
        all.push(Step::Store(0, 0, p));
        all.push(Step::Compare(0, p, true));
        all.push(Step::Compare(0, p, false));
    }
    all
}

#[test]
fn images_are_near_the_best_on_tiny_heaps() {
    let (program, kind, fields, t) = program();
    let vars: Vec<VarId> = (0..3).map(VarId).collect();
    let all: Vec<Heap> = (0..4).flat_map(heaps).collect();
    let small: Vec<Heap> = (0..3).flat_map(heaps).collect();
    // By level: heaps of the best images, and those beyond.
    let mut found = Vec::new();
    for level in [1, 2] {
        let class = Class::new(&program, level, vars.clone(), &vars[..2], Vec::new()).expect("small");
        let (mut best_size, mut beyond) = (0usize, 0usize);
        for heap in all.iter().step_by(41) {
            let mut region = Region::none();
            region.insert(&class, exact(&class, kind, t, heap));
            let graph = &region.graphs()[0];
            let inside = |h: &&Heap| stands_for(&class, graph, &exact(&class, kind, t, h));
            let stands: Vec<&Heap> = all.iter().filter(inside).collect();
            for step in steps() {
                let mut image = Region::none();
                let effect = abstract_run(&class, fields, t, graph, &step).expect("small graphs");
                effect.after.into_iter().for_each(|g| image.insert(&class, g));
                let mut best = Region::none();
                for next in stands.iter().filter_map(|h| run(h, &step, false).ok().flatten()) {
                    assert!(contains(&class, kind, t, &image, &next), "{heap:?}\n{next:?}");
                    best.insert(&class, exact(&class, kind, t, &next));
                }
                let count = |r: &Region| small.iter().filter(|h| contains(&class, kind, t, r, h)).count();
                let (least, most) = (count(&best), count(&image));
                best_size += least;
                beyond += most.saturating_sub(least);
            }
        }
        found.push((best_size, beyond));
    }
    assert!(found.iter().all(|(size, _)| *size > 1000), "{found:?}: too few to say anything");
    assert!(found.iter().all(|(size, beyond)| beyond * 100 <= *size), "{found:?}: much precision is lost");
}
