//! Runs whose ends are known.

use super::*;
use crate::program::samples::{KEY, NEXT, NODE, Sample, null, reverse};
use crate::program::state::{Status, Value};
use crate::program::{BinOp, CellId, Expr, Target, VarId};
use crate::util::span::Span;

/// `x -> c0 -> c1 -> ... -> null` with keys 0, 1, ...
fn chain(program: &Program, x: VarId, n: usize) -> State {
    let mut state = State::new(program);
    for i in 0..n {
        let cell = state.add_cell(program, NODE, Status::Heap);
        state.set_field(cell, KEY, Value::Int(i as i128));
        if i > 0 {
            state.set_field(CellId(i as u32 - 1), NEXT, Value::Cell(cell));
        }
    }
    if n > 0 {
        state.vars[x.index()] = Value::Cell(CellId(0));
    }
    state
}

fn all_checks() -> Question {
    let checks = vec![Check::Memsafety, Check::Asserts, Check::Ensures, Check::Leaks, Check::Garbage];
    Question { contract: 0, checks }
}

fn run(program: &Program, question: &Question, state: State) -> (Run, End) {
    let machine = Machine::new(program, question);
    assert_eq!(machine.admits(&state), Ok(true));
    let mut run = machine.start(state);
    let end = machine.run(&mut run, &mut Nothing, 10_000);
    (run, end)
}

fn failure(end: End) -> (Check, String, Span) {
    match end {
        End::Failed(f) => (f.check, f.message, f.span),
        other => panic!("expected a failure, found {other:?}"),
    }
}

#[test]
fn reverse_reverses() {
    let program = reverse();
    let (x, result) = (VarId(0), program.result().unwrap());
    for n in 0..6 {
        let (run, end) = run(&program, &Question::of_contract(0), chain(&program, x, n));
        assert_eq!(end, End::Exit);
        let mut here = run.state.var(result);
        for i in (0..n).rev() {
            assert_eq!(here, Value::Cell(CellId(i as u32)));
            here = run.state.field(here, NEXT);
        }
        assert_eq!(here, Value::Null);
    }
}

#[test]
fn a_false_invariant_fails_where_it_is_false() {
    let mut program = reverse();
    let y = program.var_named("y").unwrap();
    let clause = &mut program.loops[0].invariants[1];
    clause.formula = Formula::eq(Term::Var(y, At::Now), Term::Null(NODE));
    clause.span = Span::new(70, 80);
    let (run_, end) = run(&program, &Question::of_contract(0), chain(&program, VarId(0), 2));
    let expected = (Check::Asserts, "loop invariant does not hold".to_owned(), Span::new(70, 80));
    assert_eq!(failure(end), expected);
    assert_eq!(run_.state.var(y), Value::Cell(CellId(0)));
    let only = Question { contract: 0, checks: vec![Check::Memsafety] };
    assert_eq!(run(&program, &only, chain(&program, VarId(0), 2)).1, End::Exit);
}

/// A function of one list parameter whose body is written by `body`.
fn function(body: impl FnOnce(&mut Sample, VarId, VarId)) -> Program {
    let mut s = Sample::new("f");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    body(&mut s, x, y);
    s.finish()
}

#[test]
fn memory_errors_name_statement_and_pointer() {
    let memsafety = Question { contract: 0, checks: vec![Check::Memsafety] };
    let end = |program: &Program, n| run(program, &memsafety, chain(program, VarId(0), n)).1;
    let load = function(|s, x, y| {
        s.load(y, x, NEXT).load(y, y, NEXT);
    });
    assert_eq!(failure(end(&load, 0)).1, "null dereference through `x`");
    let (check, message, span) = failure(end(&load, 1));
    assert_eq!((check, &*message), (Check::Memsafety, "null dereference through `y`"));
    assert_eq!(span, Span::new(1, 2));
    assert_eq!(end(&load, 2), End::Exit);
    let twice = function(|s, x, _| {
        s.then(Command::Free(x)).then(Command::Free(x));
    });
    assert_eq!(end(&twice, 0), End::Exit);
    assert_eq!(failure(end(&twice, 1)).1, "free of a freed cell through `x`");
    let after = function(|s, x, _| {
        s.then(Command::Free(x)).store(x, KEY, Expr::Int(1));
    });
    assert_eq!(failure(end(&after, 1)).1, "access to a freed cell through `x`");
    let unasked = Question { contract: 0, checks: vec![Check::Ensures] };
    assert!(matches!(run(&after, &unasked, chain(&after, VarId(0), 1)).1, End::Outside(_)));
}

#[test]
fn leaks_and_garbage() {
    let lost = function(|s, _, y| {
        s.alloc(y).store(y, NEXT, null()).store(y, crate::program::samples::PREV, null());
    });
    let machine = Machine::new(&lost, &all_checks());
    let mut r = machine.start(chain(&lost, VarId(0), 1));
    let end = machine.run(&mut r, &mut Random::new(1, vec![0]), 100);
    assert_eq!(failure(end).0, Check::Leaks);
    // Hanging the cell into the list of the caller keeps it; as garbage counts whatever no global reaches.
    let kept = function(|s, x, y| {
        s.alloc(y).store(x, NEXT, Expr::Var(y));
    });
    let machine = Machine::new(&kept, &all_checks());
    let mut r = machine.start(chain(&kept, VarId(0), 1));
    let end = machine.run(&mut r, &mut Random::new(1, vec![0]), 100);
    assert_eq!(failure(end).0, Check::Garbage);
    // A cell that nobody reached before is not the function's.
    let nothing = function(|_, _, _| {});
    let garbage = Question { contract: 0, checks: vec![Check::Garbage] };
    let reached = chain(&nothing, VarId(0), 1);
    let mut unreached = reached.clone();
    unreached.vars[0] = crate::program::Value::Null;
    assert_eq!(failure(run(&nothing, &garbage, reached).1).0, Check::Garbage);
    assert!(matches!(run(&nothing, &garbage, unreached).1, End::Exit));
}

#[test]
fn assigns_is_checked_at_the_exit() {
    let mut program = function(|s, x, y| {
        s.load(y, x, NEXT).store(y, KEY, Expr::Int(7));
    });
    let ensures = Question { contract: 0, checks: vec![Check::Ensures] };
    let state = chain(&program, VarId(0), 2);
    program.contracts[0].assigns = Some(vec![Target::Field(Term::Var(VarId(0), At::Now), KEY)]);
    let (check, message, _) = failure(run(&program, &ensures, state.clone()).1);
    assert_eq!(check, Check::Ensures);
    assert!(message.contains("`key`"), "{message}");
    let next = Term::Field(NEXT, At::Now, Box::new(Term::Var(VarId(0), At::Now)));
    program.contracts[0].assigns = Some(vec![Target::Field(next, KEY)]);
    assert_eq!(run(&program, &ensures, state).1, End::Exit);
}

#[test]
fn signed_overflow_is_outside_the_claim() {
    let mut s = Sample::new("f");
    let i = s.int("i", VarKind::Local);
    s.assign(i, Expr::Int(i128::from(i32::MAX)));
    s.assign(i, Expr::Binary(BinOp::Add, Box::new(Expr::Var(i)), Box::new(Expr::Int(1))));
    s.assert(Formula::Const(false));
    let program = s.finish();
    assert!(matches!(run(&program, &all_checks(), State::new(&program)).1, End::Outside(_)));
}

#[test]
fn choices_are_recorded_and_repeated() {
    let mut s = Sample::new("f");
    let (i, x) = (s.int("i", VarKind::Local), s.pointer("x", VarKind::Local));
    s.then(Command::Havoc(i)).then(Command::Havoc(x)).alloc(x);
    let exit = s.here;
    for k in 0..3 {
        let from = exit;
        let to = s.program.exit;
        s.edge(from, to, Command::Assign(i, Expr::Int(k)));
    }
    let program = s.program;
    let machine = Machine::new(&program, &Question::of_contract(0));
    for seed in 0..20 {
        let mut recorder = Recorder::new(Random::new(seed, vec![0, 1, 5]));
        let mut first = machine.start(State::new(&program));
        assert_eq!(machine.run(&mut first, &mut recorder, 100), End::Exit);
        let mut second = machine.start(State::new(&program));
        let mut given = Given::new(&recorder.choices, true);
        assert_eq!(machine.run(&mut second, &mut given, 100), End::Exit);
        assert_eq!(first, second);
    }
    // All combinations: 2 integers, pointers null, 2 fields of the new cell null or itself, its key, 3 edges.
    let ints = [0, 1];
    let mut odometer = Odometer::new(&ints, true);
    let mut rounds = 0;
    loop {
        let mut run = machine.start(State::new(&program));
        assert_eq!(machine.run(&mut run, &mut odometer, 100), End::Exit);
        rounds += 1;
        if !odometer.advance() {
            break;
        }
    }
    assert_eq!(rounds, 2 * (2 * 2 * 2) * 3);
}

#[test]
fn strict_runs_stop_at_uninitialised_fields() {
    let mut s = Sample::main();
    let (x, y) = (s.pointer("x", VarKind::Local), s.pointer("y", VarKind::Local));
    s.alloc(x).store(x, NEXT, null()).load(y, x, NEXT).load(y, x, crate::program::samples::PREV);
    let program = s.finish();
    let machine = Machine::new(&program, &Question::of_contract(0));
    let mut run = machine.start_strict(State::new(&program));
    let end = machine.run(&mut run, &mut Nothing, 100);
    assert_eq!(end, End::Open("an uninitialised field is read"));
    assert_eq!(run.steps, 4);
}

#[test]
fn entries_have_no_dangling_pointers() {
    let program = reverse();
    let mut state = chain(&program, VarId(0), 2);
    assert!(clean_entry(&program, &state));
    state.cells[1].status = Status::Never;
    assert!(!clean_entry(&program, &state));
    state.set_field(CellId(0), NEXT, Value::Null);
    assert!(clean_entry(&program, &state));
    state.cells[0].status = Status::Freed;
    assert!(!clean_entry(&program, &state));
}
