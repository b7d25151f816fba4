//! Random sets of literals: a heap is checked predicate by predicate, "none" against all small heaps.

use super::oracle::{Space, Valuation, agrees, random_literals, valuation};
use crate::engine::heap::{Answer, CubeAnswer, HeapCtx, Pred, State};
use crate::sat::Lit;
use crate::util::limits::Budget;
use crate::util::rng::Rng;

pub(super) fn lits(ctx: &mut HeapCtx, state: &State, preds: &[Pred], literals: &[(usize, bool)]) -> Vec<Lit> {
    literals.iter().map(|&(at, positive)| ctx.literal(state, preds[at], positive)).collect()
}

/// Asks the same set in three ways: all at once, as a cube, and sometimes in a new context.
fn check(space: Space, queries: usize, seed: u64) {
    let preds = space.predicates();
    assert!(preds.len() <= 256);
    let mut known: Vec<Valuation> = space.heaps().iter().map(|heap| valuation(heap, &preds)).collect();
    known.sort_unstable();
    known.dedup();
    let mut rng = Rng::new(seed);
    let (mut ctx, mut cubes) = (HeapCtx::new(space.config()), HeapCtx::new(space.config()));
    let (state, cube_state) = (space.initial(&mut ctx), space.initial(&mut cubes));
    let mut budget = Budget::unlimited();
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..queries {
        let literals = random_literals(&mut rng, preds.len(), &known, 12);
        let assumed = lits(&mut ctx, &state, &preds, &literals);
        let small = known.iter().any(|valuation| agrees(valuation, &literals));
        let core = match ctx.solve(&assumed, &mut budget).unwrap() {
            Answer::Sat(model) => {
                let heap = model.heap(&state);
                assert!(heap.is_acyclic());
                assert!(literals.iter().all(|&(at, positive)| heap.eval(preds[at]) == positive), "{heap:?}");
                assert!(preds.iter().all(|&pred| heap.eval(pred) == model.eval(&state, pred)), "{heap:?}");
                None
            }
            Answer::Unsat(core) => Some(core),
        };
        let texts: Vec<_> = literals.iter().map(|&(at, positive)| (preds[at], positive)).collect();
        assert!(core.is_none() || !small, "a heap exists for {texts:?}");
        *if core.is_none() { &mut sat } else { &mut unsat } += 1;
        if let Some(core) = &core {
            assert!(core.iter().all(|lit| assumed.contains(lit)));
            assert!(!ctx.solve(core, &mut budget).unwrap().is_sat(), "a core is a core");
        }
        let cube: Vec<_> = texts.iter().map(|&(pred, positive)| (cube_state.atom(pred), positive)).collect();
        match cubes.solve_cube(&[], &cube, &mut budget).unwrap() {
            CubeAnswer::Sat(model) => {
                assert!(core.is_none(), "{texts:?}");
                let heap = model.heap(&cube_state);
                assert!(texts.iter().all(|&(pred, positive)| heap.eval(pred) == positive), "{heap:?}");
            }
            CubeAnswer::Unsat { fixed, cube: at } => {
                assert!(core.is_some() && fixed.is_empty(), "{texts:?}");
                let part: Vec<_> = at.iter().map(|&at| cube[at]).collect();
                assert!(!cubes.solve_cube(&[], &part, &mut budget).unwrap().is_sat(), "a core is a core");
            }
        }
        if round % 10 == 0 {
            let mut new = HeapCtx::new(space.config());
            let state = space.initial(&mut new);
            let assumed = lits(&mut new, &state, &preds, &literals);
            let answer = new.solve(&assumed, &mut budget).unwrap();
            assert_eq!(answer.is_sat(), core.is_none(), "incremental and new agree");
        }
    }
    assert!(sat > queries / 10 && unsat > queries / 10, "{sat} {unsat}");
}

#[test]
fn one_field() {
    check(Space { cells: 4, fields: 1, variables: 2, data: 0, colours: 0, alloc: false }, 3000, 1);
    check(Space { cells: 3, fields: 1, variables: 3, data: 0, colours: 0, alloc: false }, 3000, 2);
}

#[test]
fn one_field_with_data() {
    check(Space { cells: 4, fields: 1, variables: 2, data: 2, colours: 0, alloc: false }, 2000, 3);
    check(Space { cells: 3, fields: 1, variables: 3, data: 3, colours: 0, alloc: false }, 2000, 4);
}

#[test]
fn one_field_with_colours_and_allocation() {
    check(Space { cells: 3, fields: 1, variables: 2, data: 0, colours: 1, alloc: true }, 2000, 5);
}

#[test]
fn two_fields() {
    check(Space { cells: 3, fields: 2, variables: 2, data: 0, colours: 0, alloc: false }, 2500, 6);
}

/// Random clauses behind an activation literal and a random formula of gates, over literals of all kinds.
fn check_formulas(space: Space, queries: usize, seed: u64) {
    let preds = space.predicates();
    let mut known: Vec<Valuation> = space.heaps().iter().map(|heap| valuation(heap, &preds)).collect();
    known.sort_unstable();
    known.dedup();
    let mut rng = Rng::new(seed);
    let mut ctx = HeapCtx::new(space.config());
    let state = space.initial(&mut ctx);
    let mut budget = Budget::unlimited();
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..queries {
        let some = |rng: &mut Rng, n: usize| -> Vec<(usize, bool)> {
            (0..n).map(|_| (rng.below(preds.len()), rng.one_in(2))).collect()
        };
        let active = ctx.fresh();
        let clauses: Vec<_> = (0..2 + rng.below(8)).map(|_| some(&mut rng, 2)).collect();
        for clause in &clauses {
            let mut lits = lits(&mut ctx, &state, &preds, clause);
            lits.push(!active);
            ctx.add_clause(&lits);
        }
        // (a & b) | (free ? c : d), the free literal being anything.
        let parts = some(&mut rng, 4);
        let atoms = lits(&mut ctx, &state, &preds, &parts);
        let (both, free) = (ctx.and(atoms[0], atoms[1]), ctx.fresh());
        let choice = ctx.choose(free, atoms[2], atoms[3]);
        let formula = ctx.or(both, choice);
        let holds = |values: &Valuation| {
            clauses.iter().all(|clause| clause.iter().any(|&lit| agrees(values, &[lit])))
                && (agrees(values, &parts[..2])
                    || agrees(values, &parts[2..3])
                    || agrees(values, &parts[3..]))
        };
        match ctx.solve(&[active, formula], &mut budget).unwrap() {
            Answer::Sat(model) => {
                sat += 1;
                assert!(holds(&valuation(&model.heap(&state), &preds)));
            }
            Answer::Unsat(_) => {
                unsat += 1;
                assert!(!known.iter().any(holds), "{clauses:?} {parts:?}");
            }
        }
        if rng.one_in(2) {
            ctx.add_clause(&[!active]);
        }
    }
    assert!(sat > queries / 20 && unsat > queries / 20, "{sat} {unsat}");
}

#[test]
fn clauses_and_gates() {
    check_formulas(Space { cells: 4, fields: 1, variables: 2, data: 2, colours: 0, alloc: false }, 300, 31);
    check_formulas(Space { cells: 3, fields: 2, variables: 2, data: 0, colours: 0, alloc: false }, 300, 32);
    check_formulas(Space { cells: 3, fields: 1, variables: 2, data: 0, colours: 1, alloc: true }, 300, 33);
}

#[test]
fn equal_histories_give_equal_answers() {
    let space = Space { cells: 2, fields: 2, variables: 3, data: 0, colours: 0, alloc: false };
    let preds = space.predicates();
    let run = || {
        let mut rng = Rng::new(9);
        let mut ctx = HeapCtx::new(space.config());
        let state = space.initial(&mut ctx);
        let mut log = Vec::new();
        for _ in 0..200 {
            let literals = random_literals(&mut rng, preds.len(), &[[0; 4]], 12);
            let cube: Vec<_> =
                literals.iter().map(|&(at, positive)| (state.atom(preds[at]), positive)).collect();
            log.push(match ctx.solve_cube(&[], &cube, &mut Budget::unlimited()).unwrap() {
                CubeAnswer::Sat(model) => format!("{:?}", model.heap(&state)),
                CubeAnswer::Unsat { cube, .. } => format!("{cube:?}"),
            });
        }
        (log, ctx.stats(), ctx.memory_bytes())
    };
    assert_eq!(run(), run());
}
