//! Dialogues and what they answer. Every answer is judged by the independent checker.

use super::*;
use crate::certify::{check_model, check_proof};
use crate::frontend::smtlib::stream::Stream;
use crate::logic::{Model, Terms};

struct Certifier;

impl Judge for Certifier {
    fn model(&self, terms: &Terms, model: &Model, a: &[TermId], _: &mut Budget) -> Result<(), Objection> {
        check_model(terms, model, a).map_err(|e| Objection::Wrong(e.to_string()))
    }

    fn proof(
        &self,
        terms: &Terms,
        a: &[TermId],
        b: &[TermId],
        proof: &Proof,
        _: &mut Budget,
    ) -> Result<(), Objection> {
        check_proof(terms, a, b, proof).map_err(|e| Objection::Wrong(e.to_string()))
    }
}

/// What is printed for a text.
fn talk(text: &str) -> String {
    let mut dialogue = Dialogue::default();
    dialogue.set_judge(Box::new(Certifier));
    let mut stream = Stream::new(text.as_bytes());
    let mut out = String::new();
    while let Some(chunk) = stream.next_chunk().expect("a slice is readable") {
        let response = dialogue.read(chunk);
        assert!(!matches!(response, Response::Internal(_)), "{response:?}");
        out += &dialogue.print(&response);
        if response == Response::Exit {
            break;
        }
    }
    out
}

const CELLS: &str = "(declare-sort C 0)(declare-fun n (C) C)(declare-const a C)(declare-const b C)\n";

#[test]
fn levels_scope_assertions_and_declarations() {
    let text = "(declare-const p Bool)(assert p)(check-sat)(push)(assert (not p))(check-sat)(pop)(check-sat)
        (push 2)(declare-const i Int)(assert (< i 0))(check-sat)(get-value (i))(pop 1)(get-value (i))(pop 1)
        (declare-const i Bool)(assert i)(check-sat)(get-value (i))(pop 1)(get-info :assertion-stack-levels)";
    let out = talk(text);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..4], ["sat", "unsat", "sat", "sat"]);
    assert_eq!(lines[4], "((i (- 1)))");
    assert!(lines[5].starts_with("(error \"2:"), "{out}");
    assert_eq!(lines[6..8], ["sat", "((i true))"]);
    assert!(lines[8].contains("expected at most 0 levels, found 1"));
    assert_eq!(lines[9], "(:assertion-stack-levels 0)");
}

#[test]
fn a_failed_command_changes_nothing() {
    let out = talk(
        "(declare-const p Bool)(assert (! p :named one))(assert (and (! p :named two) q))(assert two)
        (declare-fun f (Nix) Bool)(declare-const f Bool)(frob)(check-sat foo)(assert 3)(check-sat)",
    );
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains("expected a declared symbol, found q"), "{out}");
    assert!(lines[1].contains("expected a declared symbol, found two"), "{out}");
    assert!(lines[2].contains("expected a declared sort, found Nix"), "{out}");
    assert!(lines[3].contains("expected a known command, found frob"), "{out}");
    assert!(lines[4].contains("(check-sat)"), "{out}");
    assert!(lines[5].contains("expected a formula, found sort Int"), "{out}");
    // Nothing but what a model of the rest says about the script.
    assert_eq!(lines[6..], ["unknown"]);
}

#[test]
fn cores_and_assumptions() {
    let out = talk(&format!(
        "(set-option :produce-unsat-cores true){CELLS}
        (assert (! ((_ reach n) a b) :named there))(assert (! ((_ reach n) b a) :named back))
        (assert (! (= (n a) a) :named |in place|))(assert (! (not (= a b)) :named apart))
        (check-sat)(get-unsat-core)(push)(declare-const p Bool)(declare-const q Bool)(pop)
        (reset-assertions)(declare-const p Bool)(declare-const q Bool)(assert (=> p (not q)))
        (check-sat-assuming (p (not
           q)))(check-sat-assuming (p q (or p q)))(get-unsat-assumptions)(get-unsat-core)"
    ));
    assert_eq!(out, "unsat\n(there |in place| apart)\nsat\nunsat\n(p q)\n()\n");
}

#[test]
fn names_of_the_solver_can_be_taken() {
    let out = talk(
        "(set-option :produce-unsat-cores true)(declare-const p Bool)(push)(assert (! p :named x))(check-sat)
        (declare-const named!0 Bool)(declare-const scope!0 Bool)(declare-const named!1 Int)
        (assert (not named!0))(assert (= named!1 3))(check-sat)(get-value (named!0 named!1 p))
        (assert (not p))(check-sat)",
    );
    assert_eq!(out, "sat\nsat\n((named!0 false) (named!1 3) (p true))\nunsat\n");
}

#[test]
fn numbers_may_carry_their_sign() {
    let text = "(declare-const x Int)(assert (= (* -2 x) -8))(check-sat)(get-value (x))(assert (= x -))
        (declare-const -2 Int)(assert (= -2 7))(check-sat)";
    let out = talk(text);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..2], ["sat", "((x 4))"]);
    assert!(lines[2].contains("expected a declared symbol"), "{out}");
    // As a symbol it is one.
    assert_eq!(lines[3..], ["unknown"]);
    assert_eq!(talk("(declare-const -2 Int)(assert (= -2 7))(check-sat)"), "sat\n");
}

/// What is not read for lack of memory is said so, and no model of the rest is taken for one of the script.
#[test]
fn a_script_beyond_the_memory_limit_is_refused() {
    let limits = Limits { memory: Some(2 << 20), ..Limits::default() };
    let mut dialogue = Dialogue::new(Settings { limits, ..Settings::default() });
    let mut say = |text: &str| {
        let mut stream = Stream::new(text.as_bytes());
        let chunk =
            stream.next_chunk().expect("a slice is readable").expect("one command").expect("readable");
        let response = dialogue.chunk(&chunk);
        dialogue.print(&response)
    };
    assert_eq!(say("(declare-const p Bool)") + &say("(assert p)") + &say("(check-sat)"), "sat\n");
    assert_eq!(say("(push 1)"), "");
    let deep = format!("(assert {}p{})", "(not ".repeat(100_000), ")".repeat(100_000));
    let refused = say(&deep);
    assert!(refused.starts_with("(error \"1:1: the memory limit is reached"), "{refused}");
    assert_eq!(say("(check-sat)"), "unknown\n");
    assert_eq!(say("(pop 1)") + &say("(check-sat)"), "sat\n");
}
