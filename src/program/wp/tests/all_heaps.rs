//! Every command on all small heaps: the run and the conditions come to the same.

use super::compare;
use crate::program::samples::{KEY, NEXT, NODE, Sample};
use crate::program::{
    At, Binder, BoundId, CellId, Cmp, Command, Cond, Expr, Formula, LabelId, Program, Set, State, Status,
    Storage, Term, Type, Value, Var, VarKind,
};
use crate::util::span::Span;

/// All states with this many cells, of which the last one has the status given: every `next`, every `x` and `y`;
/// array parameters hold y and null.
fn all_states(program: &Program, n: usize, last: Status) -> Vec<State> {
    let points = n + 1;
    let mut out = Vec::new();
    for code in 0..points.pow(n as u32 + 2) {
        let value = |i: usize| match code / points.pow(i as u32) % points {
            0 => Value::Null,
            p => Value::Cell(CellId(p as u32 - 1)),
        };
        let mut state = State::new(program);
        for i in 0..n {
            let cell = state.add_cell(program, NODE, if i + 1 == n { last } else { Status::Heap });
            state.set_field(cell, NEXT, value(i));
            state.set_field(cell, KEY, Value::Int(i as i128));
        }
        let mut pointers = vec![value(n), value(n + 1)].into_iter();
        for (i, var) in program.vars.iter().enumerate() {
            match var.ty {
                Type::PtrArray(_) => state.arrays[i] = vec![value(n + 1), Value::Null],
                Type::Ptr(_) => state.vars[i] = pointers.next().unwrap_or(Value::Null),
                _ => state.vars[i] = Value::Int(1),
            }
        }
        out.push(state);
    }
    out
}

#[test]
fn every_command_agrees_on_all_small_heaps() {
    let sample = || {
        let mut s = Sample::new("f");
        let (x, y) = (s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Param));
        let k = s.int("k", VarKind::Param);
        let (ty, kind) = (Type::PtrArray(NODE), VarKind::Param);
        let a = Var { name: "a".to_owned(), ty, kind, len: None, span: Span::default() };
        let a = s.program.add_var(a);
        s.program.labels.push("here".to_owned());
        (s, x, y, k, a)
    };
    let (_, x, y, k, a) = sample();
    let (index, label) = (|| Expr::Var(k), LabelId(0));
    let alloc = |storage, zeroed| Command::Alloc { to: x, of: NODE, storage, zeroed };
    let commands = [
        vec![Command::Skip],
        vec![Command::Assign(x, Expr::Var(y))],
        vec![Command::Load { to: x, from: y, field: NEXT }],
        vec![Command::Load { to: k, from: x, field: KEY }],
        vec![Command::Store { to: x, field: NEXT, value: Expr::Var(y) }],
        vec![Command::Store { to: x, field: KEY, value: Expr::Var(k) }],
        vec![Command::LoadElement { to: x, array: a, index: index() }],
        vec![Command::StoreElement { array: a, index: index(), value: Expr::Var(x) }],
        vec![Command::StoreElement { array: a, index: Expr::Int(2), value: Expr::Var(x) }],
        vec![alloc(Storage::Heap, true)],
        vec![alloc(Storage::Heap, false)],
        vec![alloc(Storage::Automatic, true), Command::Release(x)],
        vec![Command::Free(x)],
        vec![Command::Assume(Cond::eq(Expr::Var(x), Expr::Var(y)))],
        vec![Command::Snapshot(label), Command::Store { to: x, field: NEXT, value: Expr::Var(x) }],
        vec![
            Command::Store { to: x, field: NEXT, value: Expr::Var(y) },
            Command::Store { to: y, field: NEXT, value: Expr::Null(NODE) },
            Command::Store { to: x, field: NEXT, value: Expr::Var(x) },
        ],
    ];
    let var = |v, at| Term::Var(v, at);
    let cells = |at| Set::Cells(NEXT, at, Box::new(var(x, At::Now)), Box::new(Term::Null(NODE)));
    let (mut failures, mut exits) = (0, 0);
    for command in &commands {
        let at = if matches!(command[0], Command::Snapshot(_)) { At::Label(label) } else { At::Entry };
        let element = Term::Index(a, At::Now, Box::new(Term::Int(1)));
        let next = |at| Term::Field(NEXT, at, Box::new(var(x, At::Now)));
        let formulas = [
            Formula::Between(NEXT, At::Now, next(At::Now), var(y, At::Now), var(x, At::Now)),
            Formula::Reach {
                field: NEXT,
                at: At::Now,
                from: var(x, At::Now),
                to: var(y, At::Now),
                plus: true,
            },
            Formula::SameSet(cells(At::Now), Set::Union(vec![cells(at), Set::Of(vec![var(y, at)])])),
            Formula::Or(vec![
                Formula::Valid(var(x, At::Now), At::Now),
                Formula::Freed(var(x, At::Now), At::Now),
                Formula::eq(element, var(y, At::Now)),
                Formula::Compare(
                    Cmp::Lt,
                    Term::Field(KEY, At::Now, Box::new(var(x, At::Now))),
                    var(k, At::Now),
                ),
            ]),
        ];
        for formula in formulas {
            let (mut s, ..) = sample();
            command.iter().for_each(|c| {
                s.then(c.clone());
            });
            s.assert(formula);
            let program = s.finish();
            for (n, last) in [(0, Status::Heap), (1, Status::Heap), (2, Status::Heap), (3, Status::Heap)]
                .into_iter()
                .chain([(2, Status::Freed), (2, Status::Never), (3, Status::Never)])
            {
                let (f, e) = compare(&program, all_states(&program, n, last));
                failures += f;
                exits += e;
            }
        }
    }
    assert!(failures > 10_000 && exits > 10_000, "{failures} failures, {exits} exits");
}

#[test]
fn a_write_agrees_on_all_heaps_of_four_cells() {
    let (u, of) = (BoundId(0), Some(NODE));
    for (middle, end) in [(0, 1), (1, 0), (0, 0)] {
        let mut s = Sample::new("f");
        let pointers = [s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Param)];
        s.store(pointers[0], NEXT, Expr::Var(pointers[1]));
        let var = |i: usize, at| Term::Var(pointers[i], at);
        let between = |at| Formula::Between(NEXT, at, Term::Bound(u), var(middle, at), var(end, at));
        let same = Formula::Iff(Box::new(between(At::Now)), Box::new(between(At::Entry)));
        s.program.bounds = 1;
        s.assert(Formula::Forall(Binder { id: u, name: "u".to_owned(), of }, Box::new(same)));
        let program = s.finish();
        let (failures, exits) = compare(&program, all_states(&program, 4, Status::Heap));
        assert!(failures > 1_000 && exits > 1_000, "{failures} failures, {exits} exits");
    }
}
