//! Random loop-free programs: symbolic against concrete execution.

use super::oracle::{
    End, Space, Valuation, agrees, encode, execute, random_code, random_literals, valuation,
};
use super::satisfiability::lits;
use crate::engine::heap::{Answer, Heap, HeapCtx};
use crate::sat::Lit;
use crate::util::limits::Budget;
use crate::util::rng::Rng;

struct Case {
    before: Heap,
    ends: Vec<End>,
}

fn check(space: Space, programs: usize, queries: usize, seed: u64) {
    let preds = space.predicates();
    let heaps = space.heaps();
    let mut rng = Rng::new(seed);
    let mut budget = Budget::unlimited();
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..programs {
        let length = 1 + rng.below(4);
        let code = random_code(&mut rng, &space, length, 1);
        let cases: Vec<Case> = heaps
            .iter()
            .map(|heap| Case { before: heap.clone(), ends: execute(&code, heap, space.alloc) })
            .collect();
        let mut pairs: Vec<(Valuation, Valuation)> = Vec::new();
        for case in &cases {
            let before = valuation(&case.before, &preds);
            for end in &case.ends {
                if let End::Done(after) = end {
                    pairs.push((before, valuation(after, &preds)));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut ctx = HeapCtx::new(space.config());
        let first = space.initial(&mut ctx);
        let mut last = first.clone();
        let (access, cycle) = encode(&mut ctx, &code, &mut last);
        for (errors, kind) in [(access, End::Access), (cycle, End::Cycle)] {
            let any = errors.iter().fold(crate::engine::heap::constant(false), |any, &e| ctx.or(any, e));
            match ctx.solve(&[any], &mut budget).unwrap() {
                Answer::Sat(model) => {
                    let before = model.heap(&first);
                    assert!(execute(&code, &before, space.alloc).contains(&kind), "{code:?} from {before:?}");
                }
                Answer::Unsat(_) => assert!(cases.iter().all(|c| !c.ends.contains(&kind)), "{code:?}"),
            }
        }
        if pairs.is_empty() {
            continue;
        }
        let (befores, afters): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        for _ in 0..queries {
            let pre = random_literals(&mut rng, preds.len(), &befores, 4);
            let post = random_literals(&mut rng, preds.len(), &afters, 6);
            let mut assumed: Vec<Lit> = vec![last.guard];
            assumed.extend(lits(&mut ctx, &first, &preds, &pre));
            let cube: Vec<_> = post.iter().map(|&(at, positive)| (last.atom(preds[at]), positive)).collect();
            // Alternately as a cube and all at once.
            let found = if rng.one_in(2) {
                match ctx.solve_cube(&assumed, &cube, &mut budget).unwrap() {
                    crate::engine::heap::CubeAnswer::Sat(model) => {
                        Some((model.heap(&first), model.heap(&last)))
                    }
                    crate::engine::heap::CubeAnswer::Unsat { .. } => None,
                }
            } else {
                assumed.extend(lits(&mut ctx, &last, &preds, &post));
                match ctx.solve(&assumed, &mut budget).unwrap() {
                    Answer::Sat(model) => Some((model.heap(&first), model.heap(&last))),
                    Answer::Unsat(_) => None,
                }
            };
            let text = |literals: &[(usize, bool)]| {
                format!("{:?}", literals.iter().map(|l| (preds[l.0], l.1)).collect::<Vec<_>>())
            };
            if let Some((before, after)) = found {
                sat += 1;
                assert!(pre.iter().all(|&(at, positive)| before.eval(preds[at]) == positive), "{before:?}");
                assert!(post.iter().all(|&(at, positive)| after.eval(preds[at]) == positive), "{after:?}");
                let ends = execute(&code, &before, space.alloc);
                assert!(ends.contains(&End::Done(after.clone())), "{code:?}\n{before:?}\n{after:?}");
            } else {
                unsat += 1;
                let missed = pairs.iter().any(|(b, a)| agrees(b, &pre) && agrees(a, &post));
                assert!(!missed, "{code:?} {} {}", text(&pre), text(&post));
            }
        }
    }
    assert!(sat > programs && unsat > programs, "{sat} {unsat}");
}

#[test]
fn one_field() {
    check(Space { cells: 3, fields: 1, variables: 3, data: 0, colours: 0, alloc: false }, 60, 40, 21);
}

#[test]
fn one_field_with_data_and_colours() {
    check(Space { cells: 3, fields: 1, variables: 2, data: 2, colours: 1, alloc: false }, 40, 40, 22);
}

#[test]
fn allocation_is_tracked() {
    check(Space { cells: 3, fields: 1, variables: 2, data: 0, colours: 0, alloc: true }, 60, 40, 23);
}

#[test]
fn two_fields() {
    check(Space { cells: 2, fields: 2, variables: 3, data: 0, colours: 0, alloc: false }, 50, 40, 24);
}
