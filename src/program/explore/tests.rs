//! Counts of small heaps, and failures that are known to need a certain number of cells.

use super::*;
use crate::program::samples::{KEY, NEXT, NODE, PREV, Sample, null, reverse};
use crate::program::{
    At, Binder, CellId, Check, Cmp, Command, Cond, Expr, FieldId, Formula, LocationId, Term, Value, VarId,
    VarKind,
};

/// All entry states of that many cells, as they come to somebody who looks at these fields of all cells.
fn entries(program: &Program, cells: usize, fields: &[FieldId]) -> Vec<State> {
    let question = Question::of_contract(0);
    let vocabulary = Vocabulary::of(program, 0, 3);
    let machine = Machine::new(program, &question).noting();
    let mut entries = Entries::new(program, &question, &vocabulary, Size { cells, extra: false, length: 0 });
    let mut out = Vec::new();
    loop {
        if entries.admitted(&machine) == Ok(true) {
            let state = entries.state();
            let real = (0..state.cells.len()).filter(|i| state.cells[*i].status.is_valid());
            for (cell, &field) in real.flat_map(|i| fields.iter().map(move |f| (CellId(i as u32), f))) {
                machine.reads().unwrap().note(cell, field);
            }
            if allocated(state) == cells {
                out.push(state.clone());
            }
        }
        if !entries.advance(&machine) {
            return out;
        }
    }
}

fn now(v: VarId) -> Term {
    Term::Var(v, At::Now)
}

fn list(x: VarId) -> Formula {
    Formula::Reach { field: NEXT, at: At::Now, from: now(x), to: Term::Null(NODE), plus: false }
}

fn find(program: &Program) -> Found {
    find_with(program, &[Check::Memsafety, Check::Asserts, Check::Ensures])
}

fn find_with(program: &Program, checks: &[Check]) -> Found {
    let question = Question { contract: 0, checks: checks.to_vec() };
    let found = search(program, &question, &Bound::default(), &mut Budget::unlimited());
    assert_eq!(found, search(program, &question, &Bound::default(), &mut Budget::unlimited()));
    found
}

fn allocated(state: &State) -> usize {
    state.cells.iter().filter(|c| c.status.is_valid()).count()
}

#[test]
fn heaps_come_once() {
    // x and a link field: n cells in a row, the last leads to null or back to one of them.
    let mut s = Sample::new("f");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    s.load(y, x, NEXT);
    let one = s.finish();
    for n in 0..5 {
        assert_eq!(entries(&one, n, &[NEXT]).len(), if n == 0 { 1 } else { n + 1 });
    }
    // Two variables: brute force over all labelled heaps, divided into classes by renaming.
    let mut s = Sample::new("f");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Param));
    s.load(y, x, NEXT);
    let two = s.finish();
    for n in 0..4u32 {
        let points = n as usize + 1;
        let mut classes = std::collections::BTreeSet::new();
        for code in 0..points.pow(n + 2) {
            let digit = |i: u32| code / points.pow(i) % points;
            // 0 is null; variables are digits n and n + 1. Names in the order of discovery.
            let mut names: Vec<usize> = Vec::new();
            let meet = |p: usize, names: &mut Vec<usize>| {
                if p != 0 && !names.contains(&p) {
                    names.push(p);
                }
                if p == 0 { 0 } else { names.iter().position(|q| *q == p).unwrap() + 1 }
            };
            let mut form = vec![meet(digit(n), &mut names), meet(digit(n + 1), &mut names)];
            let mut at = 0;
            while at < names.len() {
                let next = digit(names[at] as u32 - 1);
                form.push(meet(next, &mut names));
                at += 1;
            }
            if names.len() == n as usize {
                classes.insert(form);
            }
        }
        assert_eq!(entries(&two, n as usize, &[NEXT]).len(), classes.len(), "{n} cells");
    }
}

#[test]
fn requires_guides_the_enumeration() {
    let mut s = Sample::new("f");
    let (x, last) = (s.pointer("x", VarKind::Param), s.pointer("last", VarKind::Param));
    s.requires(Formula::Dlseg(
        NEXT,
        PREV,
        At::Now,
        Box::new([now(x), Term::Null(NODE), Term::Null(NODE), now(last)]),
    ));
    // Sorted by key as well.
    s.requires(Formula::Sorted(NEXT, KEY, At::Now, now(x), Term::Null(NODE)));
    s.load(x, last, PREV);
    let program = s.finish();
    let found = entries(&program, 3, &[]);
    // One shape; three keys out of three values that do not decrease.
    assert_eq!(found.len(), 10);
    for state in found {
        assert!(Machine::new(&program, &Question::of_contract(0)).admits(&state).unwrap());
    }
}

#[test]
fn reverse_has_no_failing_run() {
    assert_eq!(find(&reverse()), Found::Nothing { complete: true });
}

#[test]
fn the_smallest_counterexample_is_found() {
    // The second cell is taken without a look: one cell is enough to fail, none is not.
    let mut s = Sample::new("second");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    s.requires(Formula::ne(now(x), Term::Null(NODE)));
    s.load(y, x, NEXT).load(y, y, NEXT);
    let trace = find(&s.finish()).trace().unwrap();
    assert_eq!(allocated(&trace.initial), 1);
    assert_eq!(trace.failure.message, "null dereference through `y`");
    assert_eq!(trace.steps.len(), 2);
    // A key above 41 is needed.
    let mut s = Sample::new("limit");
    let x = s.pointer("x", VarKind::Param);
    let i = s.int("i", VarKind::Local);
    s.requires(Formula::ne(now(x), Term::Null(NODE)));
    s.load(i, x, KEY).assert(Formula::Compare(Cmp::Le, now(i), Term::Int(41)));
    let trace = find(&s.finish()).trace().unwrap();
    assert_eq!(trace.failure.check, Check::Asserts);
    assert_eq!(trace.steps[0].state.vars[i.index()], super::super::Value::Int(42));
}

#[test]
fn loops_and_choices_are_followed() {
    // while (*) y = y->next; fails after two rounds on a list of two.
    let mut s = Sample::new("walk");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    s.requires(list(x));
    s.requires(Formula::ne(now(x), Term::Null(NODE)));
    s.copy(y, x);
    s.while_loop(Cond::Const(true), vec![], |s| {
        s.load(y, y, NEXT);
    });
    let head = s.program.loops[0].head;
    let exit = s.program.exit;
    s.edge(head, exit, Command::Skip);
    let program = s.finish();
    let trace = find(&program).trace().unwrap();
    assert_eq!(allocated(&trace.initial), 1);
    // Cyclic lists never fail; the search ends although the runs do not.
    let mut cyclic = program.clone();
    cyclic.contracts[0].requires[0].formula =
        Formula::Reach { field: NEXT, at: At::Now, from: now(x), to: now(x), plus: true };
    assert_eq!(find(&cyclic), Found::Nothing { complete: true });
}

#[test]
fn main_with_choices() {
    let mut s = Sample::main();
    let (x, i) = (s.pointer("x", VarKind::Local), s.int("i", VarKind::Local));
    s.then(Command::Havoc(i));
    s.then(Command::Assume(Cond::Compare(Cmp::Gt, Expr::Var(i), Expr::Int(5))));
    s.alloc(x).store(x, KEY, Expr::Var(i)).load(i, x, KEY);
    s.assert(Formula::Compare(Cmp::Lt, now(i), Term::Int(6)));
    let program = s.finish();
    let trace = find(&program).trace().unwrap();
    assert_eq!(trace.failure.check, Check::Asserts);
    // Uninitialised pointers lead to cells that must not be touched.
    let mut s = Sample::main();
    let x = s.pointer("x", VarKind::Local);
    s.alloc(x).load(x, x, NEXT).load(x, x, NEXT);
    let trace = find(&s.finish()).trace().unwrap();
    assert_eq!(trace.failure.message, "access to a cell that is not allocated through `x`");
}

#[test]
fn leaks_are_found_on_request() {
    let mut s = Sample::new("drop");
    let x = s.pointer("x", VarKind::Local);
    s.alloc(x).assign(x, null());
    let program = s.finish();
    assert_eq!(find(&program), Found::Nothing { complete: true });
    let trace = find_with(&program, &[Check::Leaks]).trace().unwrap();
    assert_eq!(trace.failure.check, Check::Leaks);
}

#[test]
fn cells_outside_are_seen_by_quantifiers() {
    // ensures nothing points to x: a cell that nobody reaches may.
    let mut s = Sample::new("f");
    let x = s.pointer("x", VarKind::Param);
    let y = s.pointer("y", VarKind::Local);
    s.requires(Formula::ne(now(x), Term::Null(NODE)));
    s.load(y, x, NEXT).store(x, NEXT, null());
    let u = s.program.add_bound();
    let points = Formula::ne(Term::Field(NEXT, At::Now, Box::new(Term::Bound(u))), now(x));
    let binder = Binder { id: u, name: "u".to_owned(), of: Some(NODE) };
    s.ensures(Formula::Forall(binder, Box::new(points)));
    let trace = find(&s.finish()).trace().unwrap();
    assert_eq!(trace.failure.check, Check::Ensures);
    assert_eq!(allocated(&trace.initial), 2);
}

#[test]
fn replay_follows_a_path() {
    let mut s = Sample::new("two");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    let (start, exit) = (s.here, s.program.exit);
    s.edge(start, exit, Command::Load { to: y, from: x, field: NEXT });
    s.edge(start, exit, Command::Load { to: x, from: y, field: NEXT });
    let program = s.program;
    assert_eq!(program.edges[1].from, LocationId(0));
    let initial = State::new(&program);
    for edge in [EdgeId(0), EdgeId(1)] {
        let question = Question::of_contract(0);
        let found =
            replay(&program, &question, &initial, Some(&[edge]), &Bound::default(), &mut Budget::unlimited());
        let trace = found.trace().unwrap();
        assert_eq!(trace.steps[0].edge, edge);
    }
}

#[test]
fn only_fields_that_are_looked_at_are_varied() {
    // Nobody looks at the other fields of the second cell, and at nothing of the third.
    let mut s = Sample::new("f");
    let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Local));
    s.requires(Formula::ne(now(x), Term::Null(NODE)));
    s.load(y, x, NEXT);
    let program = s.finish();
    assert_eq!(entries(&program, 1, &[]).len(), 1);
    // x->next is null, x, or a second cell; then its key has three values, looked at or not.
    assert_eq!(entries(&program, 1, &[NEXT, KEY]).len(), 2 * 3);
    assert_eq!(entries(&program, 2, &[NEXT, KEY]).len(), 3 * 3 * 3);
}

/// A value that counts iterations is no constant of the program; few runs draw it.
#[test]
fn random_runs_find_what_counts_iterations() {
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { int k = __VERIFIER_nondet_int(); int i = 0;
        while (i < k) { i = i + 1; if (i == 3 + 4) reach_error(); } return 0; }";
    let unit = crate::frontend::c::load("t.c", text.as_bytes(), &crate::frontend::c::Options::default());
    let program = unit.functions[0].program.as_ref().expect("a program");
    let found = search(program, &Question::of_contract(0), &Bound::default(), &mut Budget::unlimited());
    let trace = found.trace().expect("k = 7 fails");
    // The fewest commands and the smallest input that does it.
    let k = program.vars.iter().position(|v| v.name == "k").expect("a variable");
    assert_eq!(trace.steps.last().expect("steps").state.vars[k], Value::Int(7));
}
