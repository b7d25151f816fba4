//! Axiom sets, whole and damaged: what is recognised, and that no answer is wrong.
//!
//! The oracle enumerates every structure with up to two cells: an `unsat` answer must have no model there.

use super::*;
use crate::frontend::smtlib::dialogue::{Dialogue, Response};
use crate::frontend::smtlib::read;
use crate::frontend::smtlib::stream::Stream;
use crate::logic::Evaluator;

const HEAD: &str =
    "(declare-sort C 0)(declare-fun f (C) C)(declare-fun B (C C C) Bool)(declare-fun R (C C) Bool)
    (declare-const a C)(declare-const b C)(declare-const c C)";

/// The ten rules of the theory as axioms.
const TERNARY_AXIOMS: [&str; 10] = [
    "(forall ((x C)) (B x x x))",
    "(forall ((x C)) (B x (f x) (f x)))",
    "(forall ((x C) (y C)) (=> (B x y y) (or (= x y) (B x (f x) y))))",
    "(forall ((x C) (y C)) (=> (and (= (f x) x) (B x y y)) (= x y)))",
    "(forall ((x C) (y C)) (=> (B x y x) (= x y)))",
    "(forall ((x C) (y C) (z C)) (=> (and (B x y y) (B x z z)) (or (B x y z) (B x z y))))",
    "(forall ((x C) (y C) (z C)) (=> (B x y z) (and (B x y y) (B y z z))))",
    "(forall ((x C) (y C) (z C)) (=> (and (B x y y) (B y z z)) (B x z z)))",
    "(forall ((x C) (y C) (z C) (w C)) (=> (and (B x y z) (B y w z)) (and (B x y w) (B x w z))))",
    "(forall ((x C) (y C) (z C) (w C)) (=> (and (B x y z) (B x w y)) (and (B x w z) (B w y z))))",
];

/// Reachability as a partial order with at most one way on.
const BINARY_AXIOMS: [&str; 7] = [
    "(forall ((x C)) (R x x))",
    "(forall ((x C) (y C) (z C)) (=> (and (R x y) (R y z)) (R x z)))",
    "(forall ((x C) (y C)) (=> (and (R x y) (R y x)) (= x y)))",
    "(forall ((x C) (y C) (z C)) (=> (and (R x y) (R x z)) (or (R y z) (R z y))))",
    "(forall ((x C)) (R x (f x)))",
    "(forall ((x C) (y C)) (=> (R x y) (or (= x y) (R (f x) y))))",
    "(forall ((x C) (y C)) (=> (and (= (f x) x) (R x y)) (= x y)))",
];

const QUESTIONS: [&str; 4] = [
    "(and (B a b b) (B b c c) (not (B a c c)))",
    "(and (B a b b) (not (= a b)) (not (B a (f a) b)))",
    "(and (R a b) (R a c) (not (R b c)) (not (R c b)))",
    "(and (R a b) (not (= a b)) (= (f a) a))",
];

fn script(axioms: &[String], question: &str) -> String {
    let asserted: String = axioms.iter().map(|axiom| format!("(assert {axiom})")).collect();
    format!("{HEAD}{asserted}(assert {question})")
}

fn answer(text: &str) -> String {
    let mut dialogue = Dialogue::default();
    let text = format!("(set-option :reproducible-resource-limit 3000){text}(check-sat)");
    let mut stream = Stream::new(text.as_bytes());
    let mut last = String::new();
    while let Some(chunk) = stream.next_chunk().expect("a slice") {
        match dialogue.chunk(&chunk.expect("well formed")) {
            Response::Success => {}
            Response::Text(answer) => last = answer,
            other => panic!("{other:?}"),
        }
    }
    last
}

fn found(axioms: &[String]) -> Vec<(String, Reading)> {
    let mut terms = Terms::new();
    let formulas = read(&script(axioms, "true"), &mut terms).expect("well formed").formulas();
    let found = recognise(&mut terms, &formulas);
    found.iter().map(|r| (terms.func(r.predicate).name.clone(), r.reading)).collect()
}

fn owned(axioms: &[&str]) -> Vec<String> {
    axioms.iter().map(|&axiom| axiom.to_owned()).collect()
}

/// Whether a structure with one or two cells satisfies the script.
fn has_small_model(text: &str) -> bool {
    let mut terms = Terms::new();
    let formulas = read(text, &mut terms).expect("well formed").formulas();
    let func = |name: &str| terms.find_func(name).expect("declared");
    let (f, ternary, binary) = (func("f"), func("B"), func("R"));
    let sort = terms.func(f).result;
    // A script is about one of the two predicates; the other one is false everywhere.
    let (n_triples, n_pairs) = if text.contains("(B ") { (8, 0) } else { (0, 4) };
    for size in 1..=2u32 {
        let cells: Vec<Value> = (0..size).map(Value::Elem).collect();
        let tuples = |n: u32| {
            (0..size.pow(n)).map(move |i| (0..n).map(|d| i / size.pow(d) % size).collect::<Vec<u32>>())
        };
        let (triples, pairs): (Vec<_>, Vec<_>) = (tuples(3).collect(), tuples(2).collect());
        // One bit per entry: f, B, R, the three constants.
        let n_bits = if size == 1 { 2 } else { 2 + n_triples + n_pairs + 3 };
        for bits in 0..1u32 << n_bits {
            let mut rest = bits;
            let mut bit = || {
                let low = rest & 1;
                rest >>= 1;
                low
            };
            let mut model = Model::new(&terms);
            model.set_size(sort, size);
            let elem = |bit: u32| Value::Elem(if size == 1 { 0 } else { bit });
            let args = |tuple: &[u32]| tuple.iter().map(|&i| Value::Elem(i)).collect::<Vec<_>>();
            if size == 1 {
                model.set(&terms, ternary, &args(&[0, 0, 0]), Value::Bool(bit() == 1));
                model.set(&terms, binary, &args(&[0, 0]), Value::Bool(bit() == 1));
            } else {
                cells.iter().for_each(|cell| model.set(&terms, f, std::slice::from_ref(cell), elem(bit())));
                triples
                    .iter()
                    .take(n_triples)
                    .for_each(|t| model.set(&terms, ternary, &args(t), Value::Bool(bit() == 1)));
                pairs
                    .iter()
                    .take(n_pairs)
                    .for_each(|t| model.set(&terms, binary, &args(t), Value::Bool(bit() == 1)));
                ["a", "b", "c"].iter().for_each(|name| model.set(&terms, func(name), &[], elem(bit())));
            }
            let mut evaluator = Evaluator::new(&terms, &model);
            if formulas.iter().rev().all(|&formula| evaluator.holds(formula) == Ok(true)) {
                return true;
            }
        }
    }
    false
}

#[test]
fn whole_sets_are_recognised() {
    assert_eq!(found(&owned(&TERNARY_AXIOMS)), [("B".to_owned(), Reading::Between([0, 1, 2]))]);
    let turned: Vec<String> = TERNARY_AXIOMS.iter().map(|axiom| turn(axiom)).collect();
    assert_eq!(found(&turned), [("B".to_owned(), Reading::Between([1, 2, 0]))]);
    assert_eq!(found(&owned(&BINARY_AXIOMS)), [("R".to_owned(), Reading::Reach { swapped: false })]);
    let graph = ["(forall ((x C)) (R x (f x)))", "(forall ((x C) (y C)) (=> (R x y) (= (f x) y)))"];
    assert_eq!(found(&owned(&graph)), [("R".to_owned(), Reading::Graph)]);
    assert_eq!(found(&owned(&graph[..1])), []);
}

/// Every `(B p q r)` as `(B r p q)`.
fn turn(axiom: &str) -> String {
    let mut out = String::new();
    let mut rest = axiom;
    while let Some(at) = rest.find("(B ") {
        out += &rest[..at + 3];
        rest = &rest[at + 3..];
        let mut args: Vec<&str> = Vec::new();
        for end in ["", "", ")"] {
            let length = if rest.starts_with('(') {
                rest.find(')').expect("closed") + 1
            } else {
                rest.find([' ', ')']).expect("more")
            };
            args.push(&rest[..length]);
            rest = rest[length..].trim_start_matches(if end == ")" { "" } else { " " });
        }
        out += &format!("{} {} {}", args[2], args[0], args[1]);
    }
    out + rest
}

#[test]
fn damaged_sets_never_give_a_wrong_unsat() {
    let mut n_unsat = 0;
    for whole in [&TERNARY_AXIOMS[..], &BINARY_AXIOMS[..]] {
        let mut damaged: Vec<Vec<String>> = vec![owned(whole)];
        for at in 0..whole.len() {
            let mut fewer = owned(whole);
            fewer.remove(at);
            damaged.push(fewer);
            for (from, to) in [("=>", "="), ("x y", "y x"), ("and", "or"), ("(f x)", "x")] {
                let mut altered = owned(whole);
                altered[at] = altered[at].replacen(from, to, 1);
                // Binders are not to be exchanged.
                if altered[at] != whole[at] && !altered[at].contains("((y C)") {
                    damaged.push(altered);
                }
            }
        }
        let mine = if whole.len() == 10 { [0, 1] } else { [2, 3] };
        for axioms in damaged {
            for question in mine {
                let text = script(&axioms, QUESTIONS[question]);
                match answer(&text).as_str() {
                    "unsat" => {
                        n_unsat += 1;
                        assert!(!has_small_model(&text), "{text}");
                    }
                    "sat" | "unknown" => {}
                    other => panic!("{other}: {text}"),
                }
            }
        }
    }
    assert!(n_unsat > 10, "{n_unsat}");
}

#[test]
fn essential_axioms_are_missed() {
    // Without the last one, a cell that steps in place may still be related to others.
    assert_eq!(found(&owned(&BINARY_AXIOMS[..6])), []);
    assert_ne!(answer(&script(&owned(&BINARY_AXIOMS[..6]), QUESTIONS[3])), "unsat");
    assert!(has_small_model(&script(&owned(&BINARY_AXIOMS[..6]), QUESTIONS[3])));
    // Without step, reach or the order along a chain a predicate is not reachability.
    for at in [0, 1, 2, 5, 8] {
        let mut fewer = owned(&TERNARY_AXIOMS);
        fewer.remove(at);
        assert_eq!(found(&fewer), [], "without {}", TERNARY_AXIOMS[at]);
    }
}
