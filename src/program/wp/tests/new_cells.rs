//! Paths over cells that were allocated on the way, whose links the encoder knows: the run and the conditions come to
//! the same on all small heaps.

use super::compare;
use crate::program::samples::{NEXT, NODE, Sample, null};
use crate::program::{At, CellId, Expr, Formula, Program, Set, State, Status, Term, Value, VarId, VarKind};
use crate::util::rng::Rng;

/// Allocates two or three cells, writes links of these and of the cells given, and asks about paths. Often what the
/// cells given lead to is remembered first.
fn program(rng: &mut Rng) -> Program {
    let mut s = Sample::new("f");
    let mut vars = vec![s.pointer("x", VarKind::Param), s.pointer("y", VarKind::Param)];
    let new: Vec<VarId> =
        (0..2 + rng.below(2)).map(|i| s.pointer(&format!("n{i}"), VarKind::Local)).collect();
    for i in 0..2 {
        if rng.one_in(2) {
            let t = s.pointer(&format!("t{i}"), VarKind::Local);
            s.load(t, vars[i], NEXT);
            vars.push(t);
        }
    }
    for v in new {
        s.alloc(v);
        vars.push(v);
        for _ in 0..1 + rng.below(4) {
            let (to, value) = (*rng.pick(&vars), *rng.pick(&vars));
            let value = if rng.one_in(5) { null() } else { Expr::Var(value) };
            s.store(to, NEXT, value);
        }
    }
    let now = |v: VarId| Term::Var(v, At::Now);
    for _ in 0..3 {
        let mut term = || if rng.one_in(6) { Term::Null(NODE) } else { now(*rng.pick(&vars)) };
        let (a, b, c) = (term(), term(), term());
        let formula = match rng.below(3) {
            0 => Formula::Reach { field: NEXT, at: At::Now, from: a, to: b, plus: rng.one_in(3) },
            1 => Formula::Between(NEXT, At::Now, a, b, c),
            _ => Formula::In(a, Set::Cells(NEXT, At::Now, Box::new(b), Box::new(c))),
        };
        // Both answers are right somewhere: the assertion says one of them of one pair.
        let same = Formula::eq(now(vars[0]), now(vars[1]));
        s.assert(if rng.one_in(2) {
            formula
        } else {
            Formula::Or(vec![Formula::Not(Box::new(formula)), same])
        });
    }
    s.finish()
}

/// All heaps of two cells, with both parameters pointing to a cell.
fn states(program: &Program) -> Vec<State> {
    let value = |p: usize| if p == 0 { Value::Null } else { Value::Cell(CellId(p as u32 - 1)) };
    let mut out = Vec::new();
    for code in 0..36 {
        let mut state = State::new(program);
        for i in 0..2 {
            let cell = state.add_cell(program, NODE, Status::Heap);
            state.set_field(cell, NEXT, value(code / 3usize.pow(i) % 3));
        }
        for v in 0..2 {
            state.vars[v] = value(1 + code / 9 / 2usize.pow(v as u32) % 2);
        }
        out.push(state);
    }
    out
}

#[test]
fn known_paths_agree_with_the_interpreter() {
    let mut rng = Rng::new(5);
    let (mut failures, mut exits) = (0, 0);
    for _ in 0..150 {
        let program = program(&mut rng);
        let (f, e) = compare(&program, states(&program));
        failures += f;
        exits += e;
    }
    assert!(failures > 500 && exits > 200, "{failures} failures, {exits} exits");
}
