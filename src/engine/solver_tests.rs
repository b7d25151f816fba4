//! The public solver: what one route or scope must not take from another.

use super::*;

/// Functions up and down between two sorts: each way alone is stratified, both together are not. The
/// grounder is made anew for an assumption and must not forget the assertions.
#[test]
fn the_grounder_follows_assertions_after_it_was_made_anew() {
    let mut solver = Solver::new();
    let t = solver.terms_mut();
    let (a, b) = (t.declare_sort("A").unwrap(), t.declare_sort("B").unwrap());
    let up = t.declare_fun("up", &[a], b).unwrap();
    let down = t.declare_fun("down", &[b], a).unwrap();
    let good = t.declare_fun("good", &[b], SortId::BOOL).unwrap();
    let fine = t.declare_fun("fine", &[a], SortId::BOOL).unwrap();
    let (x, y) = (t.variable("x", a).unwrap(), t.variable("y", b).unwrap());
    let ups = {
        let u = t.app(up, &[x]).unwrap();
        t.app(good, &[u]).unwrap()
    };
    let all_up = t.forall(&[x], ups).unwrap();
    let downs = {
        let d = t.app(down, &[y]).unwrap();
        t.app(fine, &[d]).unwrap()
    };
    let all_down = t.forall(&[y], downs).unwrap();
    let c = t.declare_const("c", b).unwrap();
    let bad = {
        let g = t.app(good, &[c]).unwrap();
        t.not(g).unwrap()
    };
    solver.push();
    solver.assert(all_up).unwrap();
    assert!(matches!(solver.check(), Answer::Sat(_)));
    assert!(solver.pop(1));
    solver.assert(bad).unwrap();
    assert!(matches!(solver.check_assuming(&[all_down]).unwrap(), Answer::Sat(_)));
    let good_c = solver.terms_mut().app(good, &[c]).unwrap();
    let answer = solver.check_assuming(&[all_down, good_c]).unwrap();
    assert!(matches!(answer, Answer::Unsat(_)), "the assertion about c counts");
}

/// A fresh Boolean constant of the caller is no selector: its clauses belong into the proof.
#[test]
fn proofs_keep_fresh_constants_of_the_caller() {
    let mut solver = Solver::with_config(Config { proofs: true, ..Config::default() });
    let t = solver.terms_mut();
    let (p, q) = (t.fresh_const("p", SortId::BOOL), t.declare_const("q", SortId::BOOL).unwrap());
    let (np, nq) = (t.not(p).unwrap(), t.not(q).unwrap());
    let clauses = [[p, q], [p, nq], [np, q], [np, nq]];
    let clauses = clauses.map(|c| t.or(&c).unwrap());
    clauses.into_iter().for_each(|c| solver.assert(c).unwrap());
    let Answer::Unsat(refutation) = solver.check() else { panic!("all four clauses") };
    let proof = refutation.proof.expect("proofs are on");
    let unions = proof.steps.iter().filter(|s| matches!(s, Step::Assertion { .. })).count();
    assert_eq!(unions, 4, "no assertion is missing from the proof");
}

/// Thousands of assertions that a Boolean constant switches off cost a query nothing while it is not assumed,
/// and count once it is.
#[test]
fn assertions_behind_a_guard_wait_for_it() {
    let mut solver = Solver::new();
    let t = solver.terms_mut();
    let cell = t.declare_sort("Cell").unwrap();
    let next = t.declare_fun("next", &[cell], cell).unwrap();
    let x: Vec<TermId> = (0..5).map(|i| t.declare_const(&format!("x{i}"), cell).unwrap()).collect();
    let guards: Vec<TermId> =
        (0..100).map(|i| t.declare_const(&format!("g{i}"), SortId::BOOL).unwrap()).collect();
    let mut lemmas = Vec::new();
    for &guard in &guards {
        let off = t.not(guard).unwrap();
        for i in 0..4 {
            let there = t.reach(next, x[i], x[i + 1]).unwrap();
            lemmas.push(t.or(&[off, there]).unwrap());
        }
    }
    let far = t.reach(next, x[0], x[4]).unwrap();
    let not_far = t.not(far).unwrap();
    lemmas.into_iter().for_each(|lemma| solver.assert(lemma).unwrap());
    assert!(matches!(solver.check_assuming(&[not_far]).unwrap(), Answer::Sat(_)));
    let before = solver.stats().decisions;
    assert!(matches!(solver.check_assuming(&[not_far]).unwrap(), Answer::Sat(_)));
    assert!(solver.stats().decisions - before <= 2, "nothing is decided for guards that are off");
    let answer = solver.check_assuming(&[guards[7], not_far]).unwrap();
    assert!(matches!(&answer, Answer::Unsat(r) if r.assumptions == [guards[7], not_far]), "{answer:?}");
    // A guard that follows from something else counts as well.
    let t = solver.terms_mut();
    let p = t.declare_const("p", SortId::BOOL).unwrap();
    let implied = t.implies(p, guards[50]).unwrap();
    solver.assert(implied).unwrap();
    assert!(matches!(solver.check_assuming(&[p, not_far]).unwrap(), Answer::Unsat(_)));
    assert!(matches!(solver.check_assuming(&[p]).unwrap(), Answer::Sat(_)));
}

#[test]
fn a_solver_can_be_sent() {
    fn is_send<T: Send>() {}
    is_send::<Solver>();
    is_send::<Answer>();
}

/// The tables of reachability are cubic: a limit is met before they are made, not after.
#[test]
fn tables_beyond_the_memory_limit_are_not_made() {
    let mut solver = Solver::new();
    let t = solver.terms_mut();
    let cell = t.declare_sort("Cell").unwrap();
    let next = t.declare_fun("next", &[cell], cell).unwrap();
    let first = t.declare_const("c0", cell).unwrap();
    let mut last = first;
    let mut links = Vec::new();
    for i in 1..200 {
        let cell = t.declare_const(&format!("c{i}"), cell).unwrap();
        let after = t.app(next, &[last]).unwrap();
        links.push(t.eq(after, cell).unwrap());
        last = cell;
    }
    let end = t.reach(next, first, last).unwrap();
    let goal = t.not(end).unwrap();
    for link in links {
        solver.assert(link).unwrap();
    }
    let limit = solver.memory_bytes() + (8 << 20);
    solver.set_limits(Limits { memory: Some(limit), ..Limits::default() });
    let answer = solver.check_assuming(&[goal]).unwrap();
    assert!(
        matches!(answer, Answer::Unknown(Reason::Stopped(crate::util::limits::Stop::Memory))),
        "{answer:?}"
    );
    assert!(solver.memory_bytes() < limit, "nothing has grown beyond the limit");
    solver.set_limits(Limits::default());
    assert!(matches!(solver.check_assuming(&[goal]).unwrap(), Answer::Unsat(_)), "usable afterwards");
}

/// Without proofs the last question of minimising a core may have a model.
#[test]
fn minimal_cores_of_quantified_formulas_without_proofs() {
    let mut solver = Solver::new();
    let t = solver.terms_mut();
    let sort = t.declare_sort("S").unwrap();
    let p = t.declare_fun("p", &[sort], SortId::BOOL).unwrap();
    let (x, a) = (t.variable("x", sort).unwrap(), t.declare_const("a", sort).unwrap());
    let [px, pa] = [x, a].map(|s| t.app(p, &[s]).unwrap());
    let (all, none) = (t.forall(&[x], px).unwrap(), t.not(pa).unwrap());
    solver.assert_named(all, "all").unwrap();
    solver.assert_named(none, "none").unwrap();
    let Answer::Unsat(refutation) = solver.check() else { panic!("p holds at a") };
    assert_eq!(refutation.names, ["all", "none"]);
}

/// What a connective inside an assumed formula says counts for every other formula that it is part of.
#[test]
fn connectives_of_assumed_formulas_count_elsewhere() {
    let mut solver = Solver::with_config(Config { proofs: true, ..Config::default() });
    let t = solver.terms_mut();
    let s = t.declare_sort("S").unwrap();
    let next = t.declare_fun("next", &[s], s).unwrap();
    let [x, y, z] = ["x", "y", "z"].map(|n| t.declare_const(n, s).unwrap());
    let (xy, yz, xz) =
        (t.reach(next, x, y).unwrap(), t.reach(next, y, z).unwrap(), t.reach(next, x, z).unwrap());
    let both = t.and(&[xy, yz]).unwrap();
    let [p, q, r] = ["p", "q", "r"].map(|n| t.declare_const(n, SortId::BOOL).unwrap());
    let [with_p, with_q, with_r] = [p, q, r].map(|other| t.or(&[both, other]).unwrap());
    let [not_p, not_q, not_r, not_xz] = [p, q, r, xz].map(|f| t.not(f).unwrap());
    assert!(matches!(solver.check_assuming(&[with_p, not_p]).unwrap(), Answer::Sat(_)));
    assert!(matches!(solver.check_assuming(&[with_p, not_p, not_xz]).unwrap(), Answer::Unsat(_)));
    assert!(matches!(solver.check_assuming(&[with_q, not_q, not_xz]).unwrap(), Answer::Unsat(_)));
    assert!(matches!(solver.check_assuming(&[with_q, not_xz]).unwrap(), Answer::Sat(_)));
    solver.assert(with_r).unwrap();
    assert!(matches!(solver.check_assuming(&[not_r, not_xz]).unwrap(), Answer::Unsat(_)));
    assert!(matches!(solver.check_assuming(&[not_r, xz]).unwrap(), Answer::Sat(_)));
}
