//! The families have the status they claim at small sizes, and print in both dialects.

use super::*;
use crate::engine::solver::{Answer, Config, Solver};
use crate::frontend::smtlib::read;
use crate::logic::Terms;
use crate::testing::brute::{Brute, decide_by_enumeration};
use crate::util::rng::Rng;

fn answer(problem: Problem) -> Option<Status> {
    let mut solver = Solver::with_terms(Config::default(), problem.terms);
    for formula in problem.formulas {
        solver.assert(formula).unwrap();
    }
    match solver.check() {
        Answer::Sat(_) => Some(Status::Sat),
        Answer::Unsat(_) => Some(Status::Unsat),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn small_instances_have_their_status() {
    for family in ALL {
        for &size in &family.sizes[..2] {
            let instance = (family.make)(size);
            assert_eq!(answer(instance.problem), Some(instance.status), "{} {size}", family.name);
        }
    }
}

/// The status does not rest on our own engines alone.
#[test]
fn tiny_instances_agree_with_enumeration() {
    for family in ALL {
        let instance = (family.make)(2);
        let Problem { terms, formulas } = &instance.problem;
        match decide_by_enumeration(terms, formulas, 4, -2..=8, 200_000) {
            Brute::Sat(_) => assert_eq!(instance.status, Status::Sat, "{}", family.name),
            // A bound on the universe or on the work proves nothing.
            Brute::NoModelUpTo(_) | Brute::TooMany => {}
            Brute::NotEvaluable(error) => panic!("{}: {error:?}", family.name),
        }
    }
}

#[test]
fn both_texts_read_back() {
    for family in ALL {
        let instance = (family.make)(3);
        let n = instance.problem.formulas.len();
        for (text, native) in [(instance.dialect(), true), (instance.axiomatised(), false)] {
            let script =
                read(&text, &mut Terms::new()).unwrap_or_else(|e| panic!("{}: {e}\n{text}", family.name));
            assert_eq!(script.status, Some(instance.status));
            assert!(script.assertions.len() >= n);
            assert!(native || !text.contains("(_ "), "{text}");
        }
    }
}

#[test]
fn shuffling_keeps_the_answer() {
    for family in ALL {
        let mut instance = (family.make)(3);
        let mut rng = Rng::new(7);
        let Problem { terms, formulas } = &mut instance.problem;
        for formula in formulas.iter_mut() {
            *formula = shuffled(terms, *formula, &mut rng);
        }
        assert_eq!(answer(instance.problem), Some(instance.status), "{}", family.name);
    }
}

/// A quantifier below another does not lend its variable to the other's trigger.
#[test]
fn nested_quantifiers_have_triggers_of_their_own() {
    let mut terms = Terms::new();
    let text = "(declare-sort S 0)(declare-fun f (S) S)(declare-const a S)(declare-const b S)\
        (assert (forall ((x S)) (or (not ((_ between f) a x b)) (forall ((y S)) (or (not ((_ between f) x y b)) (= x y))))))\
        (check-sat)";
    let formulas =
        read(text, &mut terms).unwrap().assertions.into_iter().map(|(formula, _)| formula).collect();
    let text = axiomatised(&Problem { terms, formulas }, Some(Status::Sat));
    read(&text, &mut Terms::new()).unwrap_or_else(|e| panic!("{e}\n{text}"));
}
