//! Engine `pdr` on the programs of the paper's tables and beyond, with what each file expects of it. Every
//! invariant is held against bounded search (no small run breaks it) and, for the tables, proved again in
//! the exact semantics, which shares no encoding with the engine.

use crate::{files, root, shared};
use catena::analysis::{Setup, pdr};
use catena::frontend::c;
use catena::program::explore::{self, Bound, Found};
use catena::program::{Formula, LoopId, Program, Question};
use catena::testing::psh;
use catena::util::limits::{Budget, Limits};
use catena::verdict::{Certificate, Outcome, Verdict};
use std::path::Path;

fn decide(program: &Program, contract: usize) -> Outcome {
    pdr::run(program, &Question::of_contract(contract), &Setup::default(), &|_| {})
}

fn invariants(outcome: &Outcome) -> Option<&[(LoopId, Vec<Formula>)]> {
    match &outcome.verdict {
        Verdict::Verified(Certificate::Invariants(invariants)) => Some(invariants),
        _ => None,
    }
}

/// The functions of a file, each behaviour with its name and the verdict that the first line expects.
fn expectations(path: &Path) -> Vec<(Program, usize, String, String)> {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let name = path.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
    let expected = text.lines().next().and_then(|l| l.strip_prefix("// expect: ")).expect("an expectation");
    let unit = c::load(&name, text.as_bytes(), &c::Options::default());
    assert!(!unit.has_errors(), "{name}: {:?}", unit.diagnostics);
    let mut out = Vec::new();
    for function in unit.functions {
        let program = function.program.unwrap_or_else(|d| panic!("{name}: {d:?}"));
        for at in 0..program.contracts.len() {
            let behavior = program.contracts[at].behavior.clone();
            let word = match &behavior {
                None => expected.to_owned(),
                Some(b) => {
                    let of = expected.split(", ").find_map(|part| part.strip_prefix(&format!("{b} ")));
                    of.unwrap_or_else(|| panic!("{name}: no expectation for {b}")).to_owned()
                }
            };
            out.push((program.clone(), at, format!("{name} {}", behavior.unwrap_or_default()), word));
        }
    }
    out
}

/// No small run breaks the invariants, which are assertions of the annotated program.
fn check_by_search(program: &Program, contract: usize, outcome: &Outcome, name: &str) {
    let Some(invariants) = invariants(outcome) else { return };
    let annotated = pdr::exact::annotated(program, invariants);
    let bound = Bound { cells: 3, commands: 20_000, ..Bound::default() };
    let question = Question::of_contract(contract);
    let found = explore::search(&annotated, &question, &bound, &mut Budget::unlimited());
    assert!(!matches!(found, Found::Violation(_)), "{name}: {found:?}");
}

fn proved_again(program: &Program, contract: usize, invariants: &[(LoopId, Vec<Formula>)]) -> bool {
    let limits = Limits { steps: Some(3_000_000), ..Limits::default() };
    let question = Question::of_contract(contract);
    pdr::exact::proves(program, &question, invariants, &limits, &mut Budget::unlimited())
}

#[test]
fn rows_of_the_tables() {
    let mut rows = 0;
    for path in files(&root().join("tests/programs/pdr"), "c") {
        for (program, contract, name, expected) in expectations(&path) {
            let outcome = decide(&program, contract);
            assert_eq!(outcome.verdict.word(), expected, "{name}: {:?}", outcome.verdict);
            check_by_search(&program, contract, &outcome, &name);
            if let Some(invariants) = invariants(&outcome) {
                assert!(proved_again(&program, contract, invariants), "{name}: {invariants:?}");
            }
            rows += 1;
        }
    }
    assert!(rows >= 29, "{rows} rows");
}

#[test]
fn beyond_the_tables() {
    let mut programs = 0;
    for path in files(&root().join("tests/programs/beyond"), "c") {
        if path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("pdr_")) {
            for (program, contract, name, expected) in expectations(&path) {
                let outcome = decide(&program, contract);
                assert_eq!(outcome.verdict.word(), expected, "{name}: {:?}", outcome.verdict);
                check_by_search(&program, contract, &outcome, &name);
                programs += 1;
            }
        }
    }
    assert!(programs >= 30, "{programs} programs");
}

#[test]
fn rows_in_the_benchmarks_own_notation() {
    let mut rows = 0;
    for directory in ["benchmarks/pdr", "benchmarks/pdr-bugs"] {
        for path in files(&shared().join(directory), "psh") {
            let text = std::fs::read_to_string(&path).expect("a readable program");
            for row in psh::read(&text).unwrap_or_else(|e| panic!("{path:?}: {e}")) {
                let name = format!("{}.{}", row.program.name, row.spec);
                // The broken reverse never ends once it has closed the cycle, so its property survives.
                let expected = match (row.spec.as_str(), row.program.name.as_str()) {
                    ("bug", "reverse_bug") => "unknown",
                    ("bug" | "fig2", _) => "violated",
                    _ => "verified",
                };
                let outcome = decide(&row.program, 0);
                assert_eq!(outcome.verdict.word(), expected, "{name}: {:?}", outcome.verdict);
                rows += 1;
            }
        }
    }
    if rows == 0 {
        eprintln!("skipped: the benchmarks are not beside the crate");
    }
}

#[test]
fn a_weakened_invariant_is_not_proved_again() {
    let path = root().join("tests/programs/pdr/reverse.c");
    for (program, contract, name, _) in expectations(&path) {
        let outcome = decide(&program, contract);
        let found = invariants(&outcome).expect("reverse is verified").to_vec();
        assert!(proved_again(&program, contract, &found), "{name}");
        let bare: Vec<_> = found.iter().map(|(at, _)| (*at, Vec::new())).collect();
        assert!(!proved_again(&program, contract, &bare), "{name}: no invariant at all");
        let wrong: Vec<_> = found.iter().map(|(at, _)| (*at, vec![Formula::Const(false)])).collect();
        assert!(!proved_again(&program, contract, &wrong), "{name}: a false one");
    }
}

#[test]
fn two_runs_give_the_same_answer_and_limits_are_kept() {
    for file in ["filter.c", "reverse_bug.c", "sorted_insert.c"] {
        for (program, contract, name, _) in expectations(&root().join("tests/programs/pdr").join(file)) {
            assert_eq!(decide(&program, contract), decide(&program, contract), "{name}");
            let limits = Limits { steps: Some(20), ..Limits::default() };
            let setup = Setup { limits, ..Setup::default() };
            let stopped = pdr::run(&program, &Question::of_contract(contract), &setup, &|_| {});
            assert_eq!(stopped.verdict.word(), "unknown", "{name}: {:?}", stopped.verdict);
        }
    }
}

/// What the logic does not cover is never verified.
#[test]
fn outside_the_logic() {
    let node = "struct node { int d; struct node *next; };\n#include <stdlib.h>\n";
    let cases = [
        // Nothing says that the list ends, and the property is about that.
        (
            "struct node *f(struct node *x)\n/*@ requires x != NULL; ensures \\list(next, \\result); @*/\n{ return x; }",
            "violated",
        ),
        // A new cell holds anything.
        (
            "struct node *f(void)\n/*@ ensures \\list(next, \\result); @*/\n{ return malloc(sizeof(struct node)); }",
            "violated",
        ),
        // A cycle, and the property survives.
        (
            "void f(struct node *x)\n/*@ requires \\list(next, x) && x != NULL; ensures \\true; @*/\n{ x->next = x; }",
            "unknown",
        ),
        // Sums are not modelled.
        ("int f(int x)\n/*@ requires x > 0; ensures \\result > 1; @*/\n{ return x + x; }", "unknown"),
    ];
    for (text, expected) in cases {
        let (head, contract) = text.split_once('\n').expect("two parts");
        let (contract, body) = contract.split_once('\n').expect("contract and body");
        let text = format!("{node}{contract}\n{head}\n{body}\n");
        let unit = c::load("f.c", text.as_bytes(), &c::Options::default());
        let program = unit.functions[0].program.as_ref().unwrap_or_else(|d| panic!("{text}: {d:?}"));
        let verdict = decide(program, 0).verdict;
        assert_ne!(verdict.word(), "verified", "{text}");
        assert!(verdict.word() == expected || verdict.word() == "too-weak", "{text}: {verdict:?}");
    }
}
