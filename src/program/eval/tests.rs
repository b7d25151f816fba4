//! Evaluation against definitions written in another way, on all heaps of a few cells.

use super::*;
use crate::logic::{self, Model, Terms};
use crate::program::{BinOp, Field, IntKind, Type, Var, VarKind};
use crate::util::span::Span;

struct World {
    program: Program,
    next: FieldId,
    prev: FieldId,
    key: FieldId,
}

fn world() -> World {
    let mut program = Program::new("f");
    let node = program.add_struct("node");
    let link = Type::Ptr(node);
    let mut field =
        |name: &str, ty| program.add_field(Field { name: name.to_owned(), owner: node, ty, ghost: false });
    let (next, prev, key) = (field("next", link), field("prev", link), field("key", Type::Int(IntKind::INT)));
    for name in ["a", "b", "c", "d"] {
        let (name, kind) = (name.to_owned(), VarKind::Param);
        program.add_var(Var { name, ty: link, kind, len: None, span: Span::default() });
    }
    World { program, next, prev, key }
}

fn var(i: u32) -> Term {
    Term::Var(crate::program::VarId(i), At::Now)
}

fn point(i: usize) -> Value {
    if i == 0 { Value::Null } else { Value::Cell(CellId(i as u32 - 1)) }
}

/// All states of `n` cells in which `next` is arbitrary; index 0 is null.
fn heaps(w: &World, n: usize) -> Vec<State> {
    let mut out = Vec::new();
    for code in 0..(n + 1).pow(n as u32) {
        let mut state = State::new(&w.program);
        for _ in 0..n {
            state.add_cell(&w.program, StructId(0), Status::Heap);
        }
        let mut rest = code;
        for i in 0..n {
            state.set_field(CellId(i as u32), w.next, point(rest % (n + 1)));
            rest /= n + 1;
        }
        out.push(state);
    }
    out
}

fn truth(w: &World, state: &State, formula: &Formula) -> bool {
    holds(&w.program, States::at_entry(state), formula).unwrap()
}

/// Reflexive transitive closure by Warshall, over null (0) and cells (1..).
fn closure(state: &State, field: FieldId) -> Vec<Vec<bool>> {
    let n = state.cells.len() + 1;
    let mut r = vec![vec![false; n]; n];
    for (i, row) in r.iter_mut().enumerate() {
        row[i] = true;
        let to = state.field(point(i), field);
        let to = (0..n).find(|&j| point(j) == to).unwrap();
        row[to] = true;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                r[i][j] |= r[i][k] && r[k][j];
            }
        }
    }
    r
}

#[test]
fn reach_and_between_agree_with_the_logic() {
    let w = world();
    for n in 0..4 {
        for mut state in heaps(&w, n) {
            let mut t = Terms::new();
            let cell = t.declare_sort("Cell").unwrap();
            let next = t.declare_fun("next", &[cell], cell).unwrap();
            let names: Vec<_> = (0..=n).map(|i| t.declare_const(&format!("c{i}"), cell).unwrap()).collect();
            let mut model = Model::new(&t);
            model.set_size(cell, n as u32 + 1);
            for (i, &name) in names.iter().enumerate() {
                let logic::Op::App(func) = t.op(name) else { panic!("a constant") };
                model.set(&t, func, &[], logic::Value::Elem(i as u32));
                let to = state.field(point(i), w.next);
                let to = (0..=n).find(|&j| point(j) == to).unwrap();
                model.set(&t, next, &[logic::Value::Elem(i as u32)], logic::Value::Elem(to as u32));
            }
            let r = closure(&state, w.next);
            for (x, y) in (0..=n).flat_map(|x| (0..=n).map(move |y| (x, y))) {
                state.vars[0] = point(x);
                state.vars[1] = point(y);
                let reach = |plus| {
                    let (from, to) = (var(0), var(1));
                    Formula::Reach { field: w.next, at: At::Now, from, to, plus }
                };
                assert_eq!(truth(&w, &state, &reach(false)), r[x][y]);
                let step = (0..=n).find(|&j| point(j) == state.field(point(x), w.next)).unwrap();
                assert_eq!(truth(&w, &state, &reach(true)), x != 0 && r[step][y]);
                for z in 0..=n {
                    state.vars[2] = point(z);
                    let atom = t.between(next, names[x], names[y], names[z]).unwrap();
                    let expected = logic::eval::eval(&t, &model, atom).unwrap().is_true();
                    let between = Formula::Between(w.next, At::Now, var(0), var(1), var(2));
                    assert_eq!(truth(&w, &state, &between), expected, "{x} {y} {z} in {state:?}");
                }
            }
        }
    }
}

/// The formulas of Table 3 and the definitions of the decisions, spelled out with closures.
#[test]
fn segments_agree_with_their_definitions() {
    let w = world();
    let n = 3;
    for (code, mut state) in heaps(&w, n).into_iter().enumerate() {
        // A second field and keys derived from the code, so that each heap gets a few of them.
        for turn in 0..8 {
            let mut seed = code * 31 + turn * 977;
            for i in 0..n {
                seed = seed.wrapping_mul(0x9E37_79B9).wrapping_add(12345);
                let cell = CellId(i as u32);
                state.set_field(cell, w.prev, point((seed >> 7) % (n + 1)));
                state.set_field(cell, w.key, Value::Int(((seed >> 11) % 3) as i128));
                state.cells[i].status =
                    [Status::Heap, Status::Freed, Status::Never, Status::Automatic][(seed >> 15) % 4];
            }
            let (r, b) = (closure(&state, w.next), closure(&state, w.prev));
            let all = || 0..=n;
            for (x, y) in all().flat_map(|x| all().map(move |y| (x, y))) {
                state.vars[0] = point(x);
                state.vars[1] = point(y);
                let on = |a: usize| a != 0 && r[x][a] && r[a][y];
                let unshared =
                    all().filter(|&a| on(a)).all(|a| all().filter(|&c| r[c][a]).all(|c| r[c][x] || r[x][c]));
                assert_eq!(truth(&w, &state, &Formula::Unshared(w.next, At::Now, var(0), var(1))), unshared);
                let inverse =
                    all().filter(|&a| on(a)).all(|a| all().filter(|&c| on(c)).all(|c| r[a][c] == b[c][a]));
                let formula = Formula::Inverse(w.next, w.prev, At::Now, var(0), var(1));
                assert_eq!(truth(&w, &state, &formula), inverse);
                let stable = (1..=n).filter(|&a| r[x][a]).all(|a| state.is_valid(point(a)));
                assert_eq!(truth(&w, &state, &Formula::Stable(w.next, At::Now, var(0))), stable);
                // The cells of [x, y): walk at most n steps.
                let steps = (0..=n).find(|&k| walk(&state, w.next, x, k) == point(y));
                let cells: Vec<Value> =
                    steps.map_or(vec![], |k| (0..k).map(|i| walk(&state, w.next, x, i)).collect());
                let set = Set::Cells(w.next, At::Now, Box::new(var(0)), Box::new(var(1)));
                let got = elements(&w.program, States::at_entry(&state), &set).unwrap();
                let expected: BTreeSet<CellId> = cells
                    .iter()
                    .map(|c| if let Value::Cell(c) = c { *c } else { panic!("null in a set") })
                    .collect();
                assert_eq!(got, expected);
                let sorted = cells.windows(2).all(|p| state.field(p[0], w.key) <= state.field(p[1], w.key));
                let formula = Formula::Sorted(w.next, w.key, At::Now, var(0), var(1));
                assert_eq!(truth(&w, &state, &formula), sorted);
                for (px, py) in all().flat_map(|x| all().map(move |y| (x, y))) {
                    state.vars[2] = point(px);
                    state.vars[3] = point(py);
                    let inside = cells.windows(2).all(|p| state.field(p[1], w.prev) == p[0]);
                    let expected = match (cells.first(), cells.last()) {
                        (Some(first), Some(last)) => {
                            state.field(*first, w.prev) == point(px) && *last == point(py) && inside
                        }
                        _ => steps.is_some() && px == py,
                    };
                    let ends = Box::new([var(0), var(2), var(1), var(3)]);
                    assert_eq!(truth(&w, &state, &Formula::Dlseg(w.next, w.prev, At::Now, ends)), expected);
                }
            }
            for x in all() {
                state.vars[0] = point(x);
                let tree = paths(&state, &w, x, &mut vec![0; n + 1], n + 1);
                assert_eq!(truth(&w, &state, &Formula::Tree(w.next, w.prev, At::Now, var(0))), tree);
            }
        }
    }
}

fn walk(state: &State, field: FieldId, x: usize, steps: usize) -> Value {
    (0..steps).fold(point(x), |here, _| state.field(here, field))
}

/// Every cell is reached by at most one path of at most `depth` steps.
fn paths(state: &State, w: &World, x: usize, count: &mut [usize], depth: usize) -> bool {
    if x == 0 {
        return true;
    }
    count[x] += 1;
    if count[x] > 1 || depth == 0 {
        return false;
    }
    [w.next, w.prev].into_iter().all(|f| {
        let to = (0..count.len()).find(|&j| point(j) == state.field(point(x), f)).unwrap();
        paths(state, w, to, count, depth - 1)
    })
}

#[test]
fn quantifiers_and_sets() {
    let w = world();
    for state in heaps(&w, 3) {
        let (u, v) = (BoundId(0), BoundId(1));
        let binder = |id, name: &str| Binder { id, name: name.to_owned(), of: Some(StructId(0)) };
        let reach = Formula::Reach {
            field: w.next,
            at: At::Now,
            from: Term::Bound(u),
            to: Term::Bound(v),
            plus: false,
        };
        let all = Formula::Forall(binder(v, "v"), Box::new(reach));
        let some = Formula::Exists(binder(u, "u"), Box::new(all));
        let r = closure(&state, w.next);
        assert_eq!(truth(&w, &state, &some), (0..4).any(|u| (0..4).all(|v| r[u][v])));
        // \pre never holds null, although null's field is null.
        let null = Term::Null(StructId(0));
        let pre = Set::Pre(w.next, At::Now, Box::new(null));
        let got = elements(&w.program, States::at_entry(&state), &pre).unwrap();
        let expected: BTreeSet<CellId> =
            (0..3).map(CellId).filter(|c| state.field(Value::Cell(*c), w.next) == Value::Null).collect();
        assert_eq!(got, expected);
    }
}

#[test]
fn integer_quantifiers_need_bounds() {
    let w = world();
    let state = State::new(&w.program);
    let k = BoundId(0);
    let forall = |body| Formula::Forall(Binder { id: k, name: "k".to_owned(), of: None }, Box::new(body));
    let cmp = |cmp, a, b| Formula::Compare(cmp, a, b);
    let guard = Formula::And(vec![
        cmp(Cmp::Le, Term::Int(2), Term::Bound(k)),
        cmp(
            Cmp::Lt,
            Term::Binary(BinOp::Add, Box::new(Term::Bound(k)), Box::new(Term::Int(1))),
            Term::Int(7),
        ),
    ]);
    let under = |body| forall(Formula::Implies(Box::new(guard.clone()), Box::new(body)));
    assert!(truth(&w, &state, &under(cmp(Cmp::Le, Term::Bound(k), Term::Int(5)))));
    assert!(!truth(&w, &state, &under(cmp(Cmp::Le, Term::Bound(k), Term::Int(4)))));
    assert!(!truth(&w, &state, &under(cmp(Cmp::Lt, Term::Int(2), Term::Bound(k)))));
    let free = forall(cmp(Cmp::Le, Term::Bound(k), Term::Int(4)));
    assert_eq!(holds(&w.program, States::at_entry(&state), &free), Err(EvalError::Unbounded(k)));
    // A part that settles the value hides the one that has none.
    assert!(!truth(&w, &state, &Formula::And(vec![free.clone(), Formula::Const(false)])));
    assert!(truth(&w, &state, &Formula::Or(vec![free, Formula::Const(true)])));
}
