//! The rows of Bohne, their broken variants and further programs: data in `tests/programs`, one expectation per
//! file in its first line.
//!
//! `verified`: proved. `open`: right, not proved by this version; anything but `violated` is accepted. `refused`: wrong;
//! anything but `verified` is accepted.

use catena::analysis::{Setup, heaps};
use catena::frontend::c;
use catena::program::Question;
use catena::util::limits::Limits;
use catena::verdict::{Certificate, Outcome, Verdict};
use std::path::Path;

/// Most time for one program. Reached only without optimisation, or where the expectation allows `unknown`.
const SECONDS: u64 = 120;

fn outcome(file: &Path) -> (String, Outcome) {
    let text = std::fs::read_to_string(file).expect("a readable program");
    let first = text.lines().next().unwrap_or_default();
    let expected =
        first.strip_prefix("// expect: ").expect("an expectation in the first line").trim().to_owned();
    let unit = c::load(&file.display().to_string(), text.as_bytes(), &c::Options::default());
    assert!(!unit.has_errors(), "{}: {:?}", file.display(), unit.diagnostics);
    let function = unit.functions.iter().find(|f| f.has_contract).expect("a function with a contract");
    let program = function.program.as_ref().expect("lowered");
    let time = std::time::Duration::from_secs(SECONDS);
    let setup = Setup { limits: Limits { time: Some(time), ..Limits::default() }, ..Setup::default() };
    (expected, heaps::run(program, &Question::of_contract(0), &setup, &|_| {}))
}

fn check(file: &Path) {
    let (expected, outcome) = outcome(file);
    let word = outcome.verdict.word();
    let fine = match expected.as_str() {
        "verified" => word == "verified",
        "open" => word != "violated",
        "refused" => word != "verified",
        other => panic!("{}: expectation `{other}`", file.display()),
    };
    assert!(fine, "{}: {:?}", file.display(), outcome.verdict);
    if let Verdict::Verified(certificate) = &outcome.verdict {
        let Certificate::Invariants(loops) = certificate else { panic!("{}: no invariants", file.display()) };
        assert!(
            loops.iter().all(|(_, formulas)| !formulas.is_empty()),
            "{}: a loop says nothing",
            file.display()
        );
    }
}

fn programs(directory: &str) -> Vec<std::path::PathBuf> {
    let found = crate::files(&crate::root().join("tests/programs").join(directory), "c");
    assert!(!found.is_empty(), "no programs in {directory}");
    found
}

/// Files whose names start so.
fn check_all(directory: &str, start: &str) {
    let all = programs(directory);
    let chosen: Vec<_> = all
        .iter()
        .filter(|f| f.file_stem().is_some_and(|s| s.to_string_lossy().starts_with(start)))
        .collect();
    assert!(!chosen.is_empty(), "no program `{start}`");
    chosen.into_iter().for_each(|file| check(file));
}

#[test]
fn appending_to_a_doubly_linked_list() {
    check_all("bohne", "dll_add_last");
}

#[test]
fn inserting_into_a_sorted_list() {
    check_all("bohne", "sorted_list_add");
}

#[test]
fn programs_that_are_wrong_are_refused() {
    for file in programs("bohne") {
        let text = std::fs::read_to_string(&file).expect("a readable program");
        // The others have tests of their own.
        if text.starts_with("// expect: refused") && file.to_string_lossy().contains("linear_array") {
            check(&file);
        }
    }
}

/// The larger rows, a second each with optimisation and half a minute without.
#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn larger_rows() {
    for start in ["list_reverse", "tree_add", "parent_tree_add", "skiplist_add", "linear_array_inv"] {
        check_all("bohne", start);
    }
}

#[test]
fn every_program_has_an_expectation() {
    for file in programs("bohne") {
        let text = std::fs::read_to_string(&file).expect("a readable program");
        assert!(text.starts_with("// expect: "), "{}", file.display());
    }
}
