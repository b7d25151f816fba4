//! Tests of the search: answers known by hand, limits, agreement with plain enumeration.

use super::*;
use crate::frontend::smtlib::read;
use crate::testing::models::models;

const HEAD: &str = "(declare-sort C 0)(declare-fun n (C) C)(declare-fun d (C) Int)(declare-fun p (C C) Bool)
(declare-const a C)(declare-const b C)(declare-const c C)(declare-const i Int)(declare-const j Int)\n";

fn decide(text: &str) -> Brute {
    let mut terms = Terms::new();
    let script = read(&format!("{HEAD}(assert {text})"), &mut terms).unwrap();
    let formulas = script.formulas();
    let found = decide_by_enumeration(&terms, &formulas, 3, -3..=3, 2_000_000);
    if let Brute::Sat(model) = &found {
        let mut evaluator = Evaluator::new(&terms, model);
        assert!(formulas.iter().all(|&f| evaluator.holds(f).unwrap()), "{text}");
    }
    found
}

#[test]
fn satisfiable_by_hand() {
    for text in [
        "true",
        "(distinct a b c)",
        "(and (= (n a) b) (= (n b) a) (distinct a b) (not ((_ reach n) a c)))",
        "(and ((_ between n) a b c) (distinct a b c))",
        "(and (< (+ i i) j) (> i 0) (= j 3))",
        "(forall ((u C)) (exists ((v C)) (and (p u v) (not (p v u)))))",
        "(and (forall ((u C)) (=> ((_ between n) a u b) (< (d u) i))) ((_ reach n) a b) (= (d b) 2))",
        "(exists ((u C)) (not (= u a)))",
    ] {
        assert!(decide(text).is_sat(), "{text}");
    }
}

#[test]
fn unsatisfiable_by_hand() {
    for text in [
        "false",
        "(and (= a b) (not (= (n a) (n b))))",
        "(and ((_ reach n) a b) ((_ reach n) b c) (not ((_ reach n) a c)))",
        "(and ((_ between n) a b c) ((_ between n) a c b) (distinct b c))",
        "(and (< i j) (< j i))",
        "(exists ((u C)) (and (= (d u) 1) (= (d u) 2)))",
        "(and (forall ((u C)) (p a u)) (not (p a (n b))))",
        "(and (forall ((u C)) (=> ((_ between n) a u b) (= (d u) 0))) ((_ reach n) a b) (= (d b) 1))",
        "(distinct a b c (n a) (ite (= (n a) a) b a) (n (n a)))",
    ] {
        assert_eq!(decide(text), Brute::NoModelUpTo(3), "{text}");
    }
}

#[test]
fn limits_are_reported() {
    let mut terms = Terms::new();
    let text = format!(
        "{HEAD}(assert (and (distinct a b c) (= (n a) b) (not (= (n b) (n c))) (< (d a) i) (< i (d a))))"
    );
    let script = read(&text, &mut terms).unwrap();
    let found = decide_by_enumeration(&terms, &script.formulas(), 4, -3..=3, 20);
    assert_eq!(found, Brute::TooMany);
    // One integer at a time is decided, two at once are not.
    assert_eq!(decide("(forall ((k Int)) (< k i))"), Brute::NoModelUpTo(3));
    assert!(matches!(decide("(forall ((k Int) (l Int)) (< k (+ l i)))"), Brute::NotEvaluable(_)));
    // Two elements are needed, one is allowed.
    let apart = read("(assert (distinct a b))", &mut terms).unwrap();
    assert_eq!(decide_by_enumeration(&terms, &apart.formulas(), 1, 0..=0, 100), Brute::NoModelUpTo(1));
}

/// Skipping isomorphic models must not change any answer.
#[test]
fn agrees_with_plain_enumeration() {
    use crate::testing::formulas::{Epr, Generate, Lisbq, Shape};
    let shape = Shape { assertions: 5, depth: 1 };
    let (mut n_sat, mut n_unsat) = (0, 0);
    for seed in 0..60 {
        let problem = if seed % 2 == 0 {
            Lisbq { shape, constants: 2, link_fields: 1, ..Lisbq::default() }.generate(seed)
        } else {
            Epr { shape, relations: 1, constants: 2, sorts: 1, max_arity: 2, ..Epr::default() }.generate(seed)
        };
        let (terms, formulas) = (&problem.terms, &problem.formulas);
        let quick = decide_by_enumeration(terms, formulas, 2, 0..=1, 10_000_000);
        let signature = Signature::of(terms, formulas);
        let mut all = models(terms, &signature, 2, 0..=1, 200_000);
        let plain = all.by_ref().any(|m| {
            let mut evaluator = Evaluator::new(terms, &m);
            formulas.iter().all(|&f| evaluator.holds(f).unwrap())
        });
        if !all.was_cut() {
            assert_eq!(quick.is_sat(), plain, "seed {seed}");
            if plain { n_sat += 1 } else { n_unsat += 1 }
        }
    }
    assert!(n_sat >= 10 && n_unsat >= 5, "{n_sat} sat, {n_unsat} unsat");
}
