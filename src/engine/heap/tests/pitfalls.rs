//! The pitfalls of the experiment, one test each.

use crate::engine::heap::{Answer, Colour, Config, CubeAnswer, Field, HeapCtx, Pred, Slot, State};
use crate::sat::Lit;
use crate::util::limits::{Budget, Limits, Stop};

const N: Field = Field(0);
const X: Slot = Slot(1);
const Y: Slot = Slot(2);
const Z: Slot = Slot(3);

fn context() -> (HeapCtx, State) {
    let mut ctx = HeapCtx::new(Config { fields: 1, colours: 1, alloc: false });
    let state = ctx.initial(&[Some("x"), Some("y"), Some("z")]);
    (ctx, state)
}

fn sat(ctx: &mut HeapCtx, lits: &[Lit]) -> bool {
    ctx.solve(lits, &mut Budget::unlimited()).unwrap().is_sat()
}

/// 1: a store that is not executed may close a cycle.
#[test]
fn the_matrix_of_a_branch_not_taken_is_free() {
    let (mut ctx, before) = context();
    let test = ctx.literal(&before, Pred::Equal(X, Z), true);
    let (mut yes, no) = ctx.branch(&before, test);
    let errors = ctx.store(&mut yes, X, N, Y);
    let after = ctx.merge(test, &yes, &no);
    let back = ctx.literal(&before, Pred::Plus(N, Y, X), true);
    let still = ctx.literal(&after, Pred::Plus(N, Y, X), true);
    assert!(sat(&mut ctx, &[after.guard, !test, back, still]));
    assert!(sat(&mut ctx, &[errors.cycle, back]), "and the cycle is not hidden from the check");
    assert!(!sat(&mut ctx, &[after.guard, test, back]));
}

/// 2: more witnesses than bits in a word, all evaluated.
#[test]
fn large_universes_are_evaluated() {
    let mut ctx = HeapCtx::new(Config { fields: 1, colours: 0, alloc: false });
    let names: Vec<String> = (0..25).map(|i| format!("v{i}")).collect();
    let state = ctx.initial(&names.iter().map(|name| Some(name.as_str())).collect::<Vec<_>>());
    let slots: Vec<Slot> = (1..=25).map(Slot).collect();
    let mut lits = Vec::new();
    for (i, &x) in slots.iter().enumerate() {
        lits.push(ctx.literal(&state, Pred::Unshared(N, x, Slot::NULL), false));
        lits.push(ctx.literal(&state, Pred::Edge(N, x, slots[(i + 1) % 25]), false));
    }
    for pair in slots.windows(2) {
        lits.push(ctx.literal(&state, Pred::Equal(pair[0], pair[1]), false));
    }
    assert!(ctx.universe() > 70);
    let Answer::Sat(model) = ctx.solve(&lits, &mut Budget::unlimited()).unwrap() else {
        panic!("there is a heap")
    };
    let heap = model.heap(&state);
    assert!(heap.is_acyclic());
    assert!(slots.iter().all(|&x| !heap.eval(Pred::Unshared(N, x, Slot::NULL))));
}

/// 2, 3: what is said about null is fixed, also for a variable that is null.
#[test]
fn null_has_no_colour_and_the_largest_datum() {
    let (mut ctx, state) = context();
    let null = ctx.literal(&state, Pred::Equal(X, Slot::NULL), true);
    let cell = ctx.literal(&state, Pred::Equal(Y, Slot::NULL), false);
    let red = ctx.literal(&state, Pred::Colour(Colour(0), X), true);
    assert!(sat(&mut ctx, &[red]) && !sat(&mut ctx, &[null, red]));
    let below = ctx.literal(&state, Pred::AtMost(X, Y), true);
    let above = ctx.literal(&state, Pred::AtMost(Y, X), true);
    assert!(sat(&mut ctx, &[null, below]) && !sat(&mut ctx, &[null, below, cell]));
    assert!(sat(&mut ctx, &[null, above, cell]) && !sat(&mut ctx, &[null, !above]));
}

/// 4: nobody reaches a new cell, also no constant made later; and only where it is made.
#[test]
fn new_cells_are_new_for_constants_made_later() {
    let (mut ctx, before) = context();
    let test = ctx.literal(&before, Pred::Equal(Y, Z), true);
    let (mut yes, no) = ctx.branch(&before, test);
    ctx.malloc(&mut yes, X);
    let after = ctx.merge(test, &yes, &no);
    assert!(sat(&mut ctx, &[after.guard, test]));
    let edge = ctx.literal(&after, Pred::Edge(N, Y, X), true);
    let later = ctx.initial(&[Some("late")]);
    let mut mixed = after.clone();
    mixed.slots[Z.0 as usize] = later.slots[1];
    let reached = ctx.literal(&mixed, Pred::Plus(N, Z, X), true);
    for lit in [edge, reached] {
        assert!(!sat(&mut ctx, &[after.guard, test, lit]));
        assert!(sat(&mut ctx, &[after.guard, !test, lit]));
    }
}

/// 5: universal facts hold for constants made after the first query that used them.
#[test]
fn universal_facts_cover_later_constants() {
    let (mut ctx, state) = context();
    let unshared = ctx.literal(&state, Pred::Unshared(N, X, Slot::NULL), true);
    let cell = ctx.literal(&state, Pred::Equal(X, Slot::NULL), false);
    let mut loaded = state.clone();
    ctx.load(&mut loaded, Y, X, N);
    assert!(sat(&mut ctx, &[unshared, cell, loaded.guard]));
    let later = ctx.initial(&[Some("late")]);
    loaded.slots[Z.0 as usize] = later.slots[1];
    let apart = [Pred::Reach(N, Z, X), Pred::Reach(N, X, Z), Pred::Equal(Y, Slot::NULL)];
    let mut lits: Vec<Lit> = apart.iter().map(|&pred| ctx.literal(&loaded, pred, false)).collect();
    lits.push(ctx.literal(&loaded, Pred::Reach(N, Z, Y), true));
    assert!(sat(&mut ctx, &lits), "without the predicate");
    lits.push(unshared);
    assert!(!sat(&mut ctx, &lits));
    // And the successor's definition: nothing lies between x and its successor.
    let between = [
        ctx.literal(&loaded, Pred::Plus(N, X, Z), true),
        ctx.literal(&loaded, Pred::Plus(N, Z, Y), true),
        loaded.guard,
    ];
    assert!(!sat(&mut ctx, &between));
}

/// 6: predicates that share a literal or are constant.
#[test]
fn cores_name_the_first_of_equal_literals() {
    let (mut ctx, state) = context();
    let mut budget = Budget::unlimited();
    let mut core = |ctx: &mut HeapCtx, cube: &[(Pred, bool)]| {
        let cube: Vec<_> = cube.iter().map(|&(pred, positive)| (state.atom(pred), positive)).collect();
        match ctx.solve_cube(&[], &cube, &mut budget).unwrap() {
            CubeAnswer::Sat(_) => None,
            CubeAnswer::Unsat { fixed, cube } => Some((fixed, cube)),
        }
    };
    let yes = (Pred::Reach(N, X, Slot::NULL), true);
    let no = (Pred::Edge(N, Slot::NULL, X), true);
    let (same, also) = ((Pred::Equal(X, Y), true), (Pred::Equal(Y, X), true));
    assert_eq!(core(&mut ctx, &[yes, same, also]), None);
    assert_eq!(core(&mut ctx, &[same, yes, no, also]), Some((vec![], vec![2])));
    assert_eq!(core(&mut ctx, &[(yes.0, false)]), Some((vec![], vec![0])));
    assert_eq!(core(&mut ctx, &[yes, same, also, (Pred::Reach(N, X, Y), false)]), Some((vec![], vec![1, 3])));
}

#[test]
fn a_stopped_query_can_be_asked_again() {
    let (mut ctx, state) = context();
    let shared = ctx.literal(&state, Pred::Unshared(N, X, Y), false);
    let mut none = Budget::new(&Limits { steps: Some(0), ..Limits::default() });
    assert_eq!(ctx.solve(&[shared], &mut none).map(|answer| answer.is_sat()), Err(Stop::Steps));
    assert!(sat(&mut ctx, &[shared]));
    assert!(ctx.memory_bytes() > 0 && ctx.stats().sat_calls >= 2);
}

/// Choices of choices: each may be named after two of the one before, which doubled the name every time.
#[test]
fn nested_choices_have_short_names() {
    let (mut ctx, state) = context();
    let (mut a, mut b) = (state.constant(X), state.constant(Y));
    for i in 0..100 {
        let test = ctx.literal(&state, Pred::Reach(N, if i % 2 == 0 { X } else { Z }, Y), true);
        let choice = ctx.choose_pointer(test, a, b);
        (a, b) = (ctx.successor_of(&state, N, choice), choice);
    }
    assert!(ctx.constants().all(|c| ctx.name(c).len() < 200));
}
