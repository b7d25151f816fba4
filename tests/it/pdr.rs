//! Engine `pdr` on the programs of the paper's tables and beyond, with what each file expects of it. Every
//! invariant is held against bounded search (no small run breaks it) and, for the tables, proved again in
//! the exact semantics, which shares no encoding with the engine.

use crate::{files, root, shared};
use catena::analysis::{Predicates, Setup, Variants, pdr, vc};
use catena::frontend::c;
use catena::program::explore::{self, Bound, Found};
use catena::program::{Formula, LoopId, Program, Question, print};
use catena::testing::psh;
use catena::util::limits::{Budget, Limits};
use catena::verdict::{Certificate, Outcome, Verdict};
use std::path::Path;

fn decide(program: &Program, contract: usize) -> Outcome {
    decide_over(program, contract, Predicates::Derived, 0)
}

fn decide_over(program: &Program, contract: usize, predicates: Predicates, seed: u64) -> Outcome {
    let setup = Setup { variants: Variants { predicates, ..Variants::default() }, seed, ..Setup::default() };
    pdr::run(program, &Question::of_contract(contract), &setup, &|_| {})
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
    let [case] = &crate::regressions::cases(path)[..] else { panic!("{name}: one call") };
    let unit = c::load(&name, text.as_bytes(), &c::Options::default());
    assert!(!unit.has_errors(), "{name}: {:?}", unit.diagnostics);
    let mut out = Vec::new();
    for function in unit.functions {
        let program = function.program.unwrap_or_else(|d| panic!("{name}: {d:?}"));
        for at in 0..program.contracts.len() {
            let behavior = program.contracts[at].behavior.clone();
            let asked =
                behavior.as_ref().map_or(function.name.clone(), |b| format!("{}[{b}]", function.name));
            let word = case.verdict(&asked).unwrap_or_else(|| panic!("{name}: no expectation for {asked}"));
            let word = word.to_owned();
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
    assert!(rows >= 32, "{rows} rows");
}

#[test]
fn rows_of_the_tables_without_predicates() {
    for path in files(&root().join("tests/programs/pdr"), "c") {
        for (program, contract, name, expected) in expectations(&path) {
            let outcome = decide_over(&program, contract, Predicates::None, 0);
            assert_eq!(outcome.verdict.word(), expected, "{name}: {:?}", outcome.verdict);
            check_by_search(&program, contract, &outcome, &name);
            if let Some(invariants) = invariants(&outcome) {
                assert!(proved_again(&program, contract, invariants), "{name}: {invariants:?}");
            }
        }
    }
}

/// The order of the predicates changes the search, never the answer.
#[test]
fn rows_of_the_tables_in_other_orders_of_the_predicates() {
    for path in files(&root().join("tests/programs/pdr"), "c") {
        for (program, contract, name, expected) in expectations(&path) {
            for seed in 1..=4 {
                let outcome = decide_over(&program, contract, Predicates::Derived, seed);
                assert_eq!(outcome.verdict.word(), expected, "{name}, seed {seed}: {:?}", outcome.verdict);
            }
        }
    }
}

/// The families that the paper prints are too weak where the benchmarks' notes say so.
#[test]
fn the_printed_families() {
    let weak = ["make_doubly_linked.c inverse", "sorted_insert.c stays_sorted", "filter.c order_kept"];
    for path in files(&root().join("tests/programs/pdr"), "c") {
        for (program, contract, name, expected) in expectations(&path) {
            let word = decide_over(&program, contract, Predicates::Paper, 0).verdict.word();
            if weak.contains(&name.as_str()) {
                assert_eq!(word, "too-weak", "{name}");
            } else {
                assert!(word == expected || word == "too-weak", "{name}: {word}");
            }
        }
    }
}

/// The text with the invariants written before their loops; none if they name variables of inlined functions
/// or hidden ones, which have no name there.
fn pasted(text: &str, program: &Program, invariants: &[(LoopId, Vec<Formula>)]) -> Option<String> {
    let mut places: Vec<(usize, String)> = Vec::new();
    for (at, formulas) in invariants {
        let clauses: String =
            formulas.iter().map(|f| format!("loop invariant {}; ", print::formula(program, f))).collect();
        if clauses.contains(['#', '.']) {
            return None;
        }
        if !clauses.is_empty() {
            places.push((program.loops[at.index()].span.start as usize, format!("/*@ {clauses}@*/ ")));
        }
    }
    places.sort();
    let mut out = text.to_owned();
    for (at, clauses) in places.into_iter().rev() {
        out.insert_str(at, &clauses);
    }
    Some(out)
}

/// What is printed can be pasted into the source, and engine `vc` proves it there.
#[test]
fn pasted_invariants_are_proved() {
    let mut proved = 0;
    for directory in ["tests/programs/pdr", "tests/programs/beyond"] {
        for path in files(&root().join(directory), "c") {
            let file = path.file_name().and_then(|n| n.to_str()).expect("a name");
            let skipped = directory.ends_with("beyond") && !file.starts_with("pdr_");
            if skipped {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a readable program");
            for (at, (program, contract, name, _)) in expectations(&path).into_iter().enumerate() {
                let outcome = decide(&program, contract);
                let Some(invariants) = invariants(&outcome) else { continue };
                let Some(text) = pasted(&text, &program, invariants) else { continue };
                let unit = c::load("pasted.c", text.as_bytes(), &c::Options::default());
                assert!(!unit.has_errors(), "{name}: {:?} in {text}", unit.diagnostics);
                let functions = unit.functions.into_iter().map(|f| f.program.expect("a program"));
                let again =
                    functions.flat_map(|p| (0..p.contracts.len()).map(move |c| (p.clone(), c))).nth(at);
                let (program, contract) = again.expect("the same functions");
                let setup = Setup {
                    limits: Limits { time: Some(std::time::Duration::from_secs(60)), ..Limits::default() },
                    ..Setup::default()
                };
                let verdict = vc::run(&program, &Question::of_contract(contract), &setup, &|_| {}).verdict;
                assert_eq!(verdict.word(), "verified", "{name}: {verdict:?} in {text}");
                proved += 1;
            }
        }
    }
    assert!(proved >= 60, "{proved} programs");
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
    assert!(programs >= 110, "{programs} programs");
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
        // A circular list.
        (
            "void f(struct node *h)\n/*@ requires \\cyclic(next, h); ensures \\cyclic(next, h); @*/\n{ struct node *p = h->next; while (p != h) p = p->next; }",
            "unknown",
        ),
        // Lengths are not modelled: no predicate says that both lists are equally long.
        (
            "void f(int n)\n/*@ requires n >= 0; ensures \\true; @*/\n{ struct node *a = NULL, *b = NULL, *e; int i; for (i = 0; i < n; i++) { e = malloc(sizeof(*e)); e->next = a; a = e; e = malloc(sizeof(*e)); e->next = b; b = e; } while (a != NULL) { a = a->next; b = b->next; } }",
            "too-weak",
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

/// What the user tracks becomes part of the abstraction, also under quantifiers and through fields.
#[test]
fn tracked_predicates() {
    let text = |track: &str| {
        format!(
            "struct node {{ int d; struct node *next; }};
/*@ requires \\list(next, h) && h != NULL && h->next != NULL; {track}
    ensures \\result != NULL && \\result->next != NULL && \\result->next->next == NULL; @*/
struct node *f(struct node *h) {{ while (h->next->next != NULL) h = h->next; return h; }}"
        )
    };
    let run = |text: &str| {
        let unit = c::load("f.c", text.as_bytes(), &c::Options::default());
        unit.functions[0].program.clone().map(|p| decide_over(&p, 0, Predicates::Derived, 0))
    };
    let plain = run(&text("")).expect("a program");
    let tracked = run(&text("track h->next->next == NULL, h->next == NULL;")).expect("a program");
    assert_eq!(tracked.verdict.word(), "verified", "{:?}", tracked.verdict);
    assert!(tracked.counters.predicates > plain.counters.predicates, "{tracked:?} {plain:?}");
    let object = run(&text("track (struct node *v) v->next == h;")).expect("a program");
    assert!(object.counters.predicates > plain.counters.predicates, "{object:?} {plain:?}");
    let unit = c::load("f.c", text("track h + 1 == NULL;").as_bytes(), &c::Options::default());
    assert!(!unit.diagnostics.is_empty(), "an ill-typed predicate is named");
}

/// A spurious trace leads to finer predicates, and the report says so.
#[test]
fn refinement_is_reported() {
    let path = root().join("tests/programs/beyond/pdr_remove_dups_strict.c");
    for (program, contract, name, _) in expectations(&path) {
        let told = std::sync::Mutex::new(Vec::new());
        let note = |text: &str| told.lock().expect("one thread").push(text.to_owned());
        let outcome = pdr::run(&program, &Question::of_contract(contract), &Setup::default(), &note);
        assert_eq!(outcome.verdict.word(), "verified", "{name}");
        assert!(outcome.counters.refinements >= Some(1), "{name}: {:?}", outcome.counters);
        let told = told.into_inner().expect("one thread");
        assert!(told.iter().any(|line| line.starts_with("too weak; added: ")), "{told:?}");
    }
}
