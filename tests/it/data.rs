//! Golden files. The first line of each says what must come out (`; expected: sat`); every file goes
//! through every check there is: answer, model evaluated, proof certified, core solved again, printed and
//! read back, another order, one by one, twice the same.

use crate::{files, root};
use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib::read;
use catena::logic::Terms;
use catena::testing::oracle::{Effort, certify};
use catena::testing::{Problem, Trace, Verdict, check_problem, replay};
use std::path::Path;

fn load(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn expected(path: &Path, text: &str) -> Verdict {
    match text.lines().next().and_then(|line| line.strip_prefix("; expected: ")) {
        Some("sat") => Verdict::Sat,
        Some("unsat") => Verdict::Unsat,
        Some("unknown") => Verdict::Unknown,
        other => panic!("{}: the first line must be `; expected: ...`, found {other:?}", path.display()),
    }
}

#[test]
fn golden_files() {
    let all = files(&root().join("tests/data"), "smt2");
    assert!(all.len() >= 30, "only {} files", all.len());
    let mut wrong = Vec::new();
    for path in &all {
        let text = load(path);
        let expected = expected(path, &text);
        let mut terms = Terms::new();
        let script = read(&text, &mut terms).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
        let problem = Problem { terms, formulas: script.formulas() };
        // Outside the fragments a check may go on for long before it gives up.
        let complete = expected != Verdict::Unknown;
        let steps = if complete { 5_000_000 } else { 200_000 };
        let effort = Effort { complete, steps, ..Effort::default() };
        match check_problem(&problem, &effort, 7) {
            Ok(found) if found == expected => {}
            Ok(found) => wrong.push(format!("{}: expected {expected}, found {found}", path.display())),
            Err(complaint) => wrong.push(format!("{}: {complaint}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Satisfiable files are as many as the others, or a solver that says `unsat` passes.
#[test]
fn answers_are_balanced() {
    let all = files(&root().join("tests/data"), "smt2");
    let count = |verdict| all.iter().filter(|p| expected(p, &load(p)) == verdict).count();
    let (sat, unsat) = (count(Verdict::Sat), count(Verdict::Unsat));
    assert!(sat >= unsat, "{sat} sat, {unsat} unsat");
}

#[test]
fn traces() {
    for path in files(&root().join("tests/data/traces"), "trace") {
        let text = load(&path);
        let trace = Trace::parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let replayed =
            replay::replay(&trace).unwrap_or_else(|complaint| panic!("{}: {complaint}", path.display()));
        assert_eq!(replayed.last, Some(expected(&path, &text)), "{}", path.display());
    }
}

/// Eleven verification conditions of list programs.
#[test]
fn benchmarks_are_refuted() {
    let directory = root().join("../shared/benchmarks/lisbq/vcs/dialect");
    let all = files(&directory, "smt2");
    if all.is_empty() {
        eprintln!("SKIPPED benchmarks_are_refuted: {} is absent", directory.display());
        return;
    }
    assert_eq!(all.len(), 11);
    for path in all {
        let mut terms = Terms::new();
        let script = read(&load(&path), &mut terms).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
        let mut solver = Solver::with_terms(Config { proofs: true, ..Config::default() }, terms);
        for formula in script.formulas() {
            solver.assert(formula).expect("the reader gives closed formulas");
        }
        let answer = solver.check();
        assert!(matches!(answer, Answer::Unsat(_)), "{}: {answer:?}", path.display());
        let certified = certify(solver.terms(), &script.formulas(), &[], &answer);
        assert_eq!(certified, Ok(Verdict::Unsat), "{}", path.display());
    }
}
