//! Values of terms in small models.

use super::*;

/// Cells 0 -> 1 -> 2 -> 1 (a cycle reached by a tail).
fn lasso() -> (Terms, Model, FuncId, Vec<TermId>) {
    let mut t = Terms::new();
    let cell = t.declare_sort("Cell").unwrap();
    let next = t.declare_fun("next", &[cell], cell).unwrap();
    let names: Vec<TermId> = (0..3).map(|i| t.declare_const(&format!("c{i}"), cell).unwrap()).collect();
    let mut model = Model::new(&t);
    model.set_size(cell, 3);
    for (i, &name) in names.iter().enumerate() {
        let Op::App(func) = t.op(name) else { panic!("a constant") };
        model.set(&t, func, &[], Value::Elem(i as u32));
    }
    for (from, to) in [(0, 1), (1, 2), (2, 1)] {
        model.set(&t, next, &[Value::Elem(from)], Value::Elem(to));
    }
    (t, model, next, names)
}

#[test]
fn between_stops_at_the_first_target() {
    let (mut t, model, next, c) = lasso();
    let mut check = |x: usize, y: usize, z: usize, expected: bool| {
        let atom = t.between(next, c[x], c[y], c[z]).unwrap();
        assert_eq!(eval(&t, &model, atom).unwrap().is_true(), expected, "between {x} {y} {z}");
    };
    check(0, 1, 2, true);
    check(0, 2, 1, false);
    check(0, 1, 1, true);
    check(1, 2, 1, false);
    check(1, 1, 1, true);
    check(2, 1, 1, true);
    check(1, 0, 0, false);
}

#[test]
fn quantifiers_run_over_the_universe() {
    let (mut t, model, next, c) = lasso();
    let cell = t.find_sort("Cell").unwrap();
    let (u, v) = (t.variable("u", cell).unwrap(), t.variable("v", cell).unwrap());
    let some_way = t.reach(next, u, v).unwrap();
    let all_v = t.forall(&[v], some_way).unwrap();
    let exists_u = t.exists(&[u], all_v).unwrap();
    assert!(eval(&t, &model, exists_u).unwrap().is_true());
    let all = t.forall(&[u, v], some_way).unwrap();
    assert!(!eval(&t, &model, all).unwrap().is_true());
    let to_one = t.reach(next, u, c[1]).unwrap();
    let all_to_one = t.forall(&[u], to_one).unwrap();
    assert!(eval(&t, &model, all_to_one).unwrap().is_true());
    let i = t.variable("i", SortId::INT).unwrap();
    let bounded = {
        let five = t.int(5);
        t.le(i, five).unwrap()
    };
    let all_ints = t.forall(&[i], bounded).unwrap();
    assert!(!eval(&t, &model, all_ints).unwrap().is_true());
    let j = t.variable("j", SortId::INT).unwrap();
    let order = t.le(i, j).unwrap();
    let all_pairs = t.forall(&[i, j], order).unwrap();
    assert_eq!(eval(&t, &model, all_pairs), Err(EvalError::IntQuantifier(all_pairs)));
    assert!(matches!(eval(&t, &model, bounded), Err(EvalError::Unbound(_))));
}

#[test]
fn deep_terms_evaluate() {
    let (mut t, model, next, c) = lasso();
    let mut deep = c[0];
    for _ in 0..100_000 {
        deep = t.app(next, &[deep]).unwrap();
    }
    assert_eq!(eval(&t, &model, deep).unwrap(), Value::Elem(2));
    let mut budget = Budget::new(&crate::util::limits::Limits { steps: Some(10), ..Default::default() });
    budget.poll().unwrap();
    let mut limited = Evaluator::with_budget(&t, &model, budget);
    assert!(matches!(limited.eval(deep), Err(EvalError::Stopped(_))));
}
