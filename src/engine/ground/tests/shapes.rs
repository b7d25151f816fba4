//! Formulas of particular shapes: empty sorts, wide tables, deep bodies, `ite` terms, stratified functions.

use super::{check, fresh, satisfies};
use crate::engine::ground::{GroundAnswer, Grounder, in_fragment};
use crate::logic::{SortId, TermId, Terms};
use crate::util::limits::Budget;

#[test]
fn an_empty_sort_gets_an_element() {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let p = t.declare_fun("p", &[s], SortId::BOOL).unwrap();
    let x = t.variable("x", s).unwrap();
    let px = t.app(p, &[x]).unwrap();
    let all = t.forall(&[x], px).unwrap();
    let not_px = t.not(px).unwrap();
    let none = t.forall(&[x], not_px).unwrap();
    assert!(fresh(&mut t, &[all]));
    assert!(!fresh(&mut t, &[all, none]));
    let some = t.not(none).unwrap();
    let not_all = t.not(all).unwrap();
    assert!(fresh(&mut t, &[some, not_all]));
    assert!(fresh(&mut t, &[]));
    assert!(!fresh(&mut t, &[Terms::FALSE]));
}

#[test]
fn rows_longer_than_a_word() {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let r = t.declare_fun("r", &[s, s], SortId::BOOL).unwrap();
    let c: Vec<TermId> = (0..150).map(|i| t.declare_const(&format!("c{i}"), s).unwrap()).collect();
    let (x, y) = (t.variable("x", s).unwrap(), t.variable("y", s).unwrap());
    let (xy, yx) = (t.app(r, &[x, y]).unwrap(), t.app(r, &[y, x]).unwrap());
    let mirrored = t.implies(xy, yx).unwrap();
    let symmetric = t.forall(&[x, y], mirrored).unwrap();
    let mut formulas = vec![symmetric];
    for i in 0..149 {
        formulas.push(t.app(r, &[c[i], c[i + 1]]).unwrap());
    }
    let mut grounder = Grounder::new(false);
    formulas.iter().for_each(|&f| grounder.assert(&mut t, f));
    assert_eq!(check(&mut grounder, &mut t, &[]), GroundAnswer::Sat);
    satisfies(&mut grounder, &t, &formulas);
    assert_eq!(grounder.stats().instances, 149);
    let back = t.app(r, &[c[149], c[148]]).unwrap();
    let not_back = t.not(back).unwrap();
    assert_eq!(check(&mut grounder, &mut t, &[not_back]), GroundAnswer::Unsat { core: vec![not_back] });
}

#[test]
fn tables_too_large_to_be_dense() {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let wide = t.declare_fun("wide", &[s; 8], SortId::BOOL).unwrap();
    let f = t.declare_fun("f", &[s; 8], SortId::BOOL).unwrap();
    let c: Vec<TermId> = (0..12).map(|i| t.declare_const(&format!("c{i}"), s).unwrap()).collect();
    let x = t.variable("x", s).unwrap();
    let mut args = c[..8].to_vec();
    args[3] = x;
    let (left, right) = (t.app(wide, &args).unwrap(), t.app(f, &args).unwrap());
    let body = t.iff(left, right).unwrap();
    let same = t.forall(&[x], body).unwrap();
    let different = t.distinct(&c).unwrap();
    args[3] = c[11];
    let here = t.app(wide, &args).unwrap();
    let there = t.app(f, &args).unwrap();
    let mut grounder = Grounder::new(false);
    let formulas = [same, different, here];
    formulas.iter().for_each(|&g| grounder.assert(&mut t, g));
    assert_eq!(check(&mut grounder, &mut t, &[]), GroundAnswer::Sat);
    satisfies(&mut grounder, &t, &formulas);
    assert_eq!(grounder.holds(&t, there, &mut Budget::unlimited()), Ok(true));
}

#[test]
fn deep_bodies_need_no_stack() {
    let mut t = Terms::new();
    let s = t.declare_sort("S").unwrap();
    let r = t.declare_fun("r", &[s, s], SortId::BOOL).unwrap();
    let (a, b) = (t.declare_const("a", s).unwrap(), t.declare_const("b", s).unwrap());
    let x = t.variable("x", s).unwrap();
    let (xa, xb) = (t.app(r, &[x, a]).unwrap(), t.app(r, &[b, x]).unwrap());
    let mut body = xa;
    for i in 0..20_000 {
        body = if i % 2 == 0 { t.iff(body, xb).unwrap() } else { t.or(&[body, xa]).unwrap() };
    }
    let formula = t.forall(&[x], body).unwrap();
    let mut grounder = Grounder::new(false);
    grounder.assert(&mut t, formula);
    assert_eq!(check(&mut grounder, &mut t, &[]), GroundAnswer::Sat);
    satisfies(&mut grounder, &t, &[formula]);
}

#[test]
fn stratified_functions_and_witnesses() {
    let mut t = Terms::new();
    let (s, u) = (t.declare_sort("S").unwrap(), t.declare_sort("U").unwrap());
    let f = t.declare_fun("f", &[s], u).unwrap();
    let m = t.declare_fun("m", &[s, u], SortId::BOOL).unwrap();
    let p = t.declare_fun("p", &[u], SortId::BOOL).unwrap();
    let a = t.declare_const("a", s).unwrap();
    let b = t.declare_const("b", s).unwrap();
    let (x, y) = (t.variable("x", s).unwrap(), t.variable("y", u).unwrap());
    let fx = t.app(f, &[x]).unwrap();
    let (mxy, mxf, py, pf) = (
        t.app(m, &[x, y]).unwrap(),
        t.app(m, &[x, fx]).unwrap(),
        t.app(p, &[y]).unwrap(),
        t.app(p, &[fx]).unwrap(),
    );
    // Every x has a partner with p, partners are f(x) only, and p fails at f of one of a, b.
    let partner = t.and(&[mxy, py]).unwrap();
    let some = t.exists(&[y], partner).unwrap();
    let every = t.forall(&[x], some).unwrap();
    let is_f = t.eq(y, fx).unwrap();
    let only = t.implies(mxy, is_f).unwrap();
    let only = t.forall(&[x, y], only).unwrap();
    let q = t.declare_const("q", SortId::BOOL).unwrap();
    let either = t.ite(q, a, b).unwrap();
    let f_either = t.app(f, &[either]).unwrap();
    let p_either = t.app(p, &[f_either]).unwrap();
    let fails = t.not(p_either).unwrap();
    assert_eq!(in_fragment(&t, &[every, only, fails]), Ok(()));
    assert!(fresh(&mut t, &[every, only, p_either]));
    assert!(!fresh(&mut t, &[every, only, fails]));
    let not_pf = t.not(pf).unwrap();
    let nowhere = t.forall(&[x], not_pf).unwrap();
    assert!(!fresh(&mut t, &[nowhere, p_either]));
    let mxf_all = t.forall(&[x], mxf).unwrap();
    assert!(fresh(&mut t, &[nowhere, mxf_all, fails]));
}
