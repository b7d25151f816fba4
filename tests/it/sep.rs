//! Separation logic: the public problems, and random ones against all small heaps.

use crate::root;
use catena::testing::Verdict;
use catena::testing::sep::generate::{Style, generate};
use catena::testing::sep::{Bounds, Problem, Scrutiny, judge};

/// Every problem of the collection has the answer that it promises.
#[test]
fn public_problems() {
    let mut n_files = 0;
    for directory in ["qf_shls_sat", "qf_shls_entl"] {
        let directory = root().join("../shared/corpora/slcomp18").join(directory);
        let Ok(entries) = std::fs::read_dir(&directory) else {
            eprintln!("skipped: {} is not there", directory.display());
            continue;
        };
        for entry in entries {
            let path = entry.expect("a readable entry").path();
            let text = std::fs::read_to_string(&path).expect("readable text");
            let mut problem = Problem::read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let expected = Verdict::from(problem.script.status.expect("a status"));
            let (found, _) = problem.solve(false).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(found, expected, "{}", path.display());
            n_files += 1;
        }
    }
    eprintln!("{n_files} problems");
}

fn random(style: Style, seeds: std::ops::Range<u64>, cells: u32) {
    let bounds = Bounds { cells, dangling: 1, tries: 20_000 };
    let scrutiny = Scrutiny { bounds: Some(bounds), proofs: true, must_decide: style != Style::Double };
    let mut counts = [0; 3];
    for seed in seeds {
        let text = generate(seed, style);
        let verdict = judge(&text, scrutiny).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        counts[verdict as usize] += 1;
    }
    eprintln!("{style:?}: {counts:?}");
    assert!(counts[0] > 10 && counts[1] > 10, "{style:?}: sat, unsat, unknown {counts:?}");
}

#[test]
fn random_plain() {
    random(Style::Plain, 0..300, 3);
}

#[test]
fn random_mixed() {
    random(Style::Mixed, 0..200, 3);
}

#[test]
fn random_definitions() {
    random(Style::Definitions, 0..250, 3);
}

#[test]
fn random_double() {
    random(Style::Double, 0..150, 2);
}
