//! Random cases of every kind, each through every check of `catena::testing`. The torture example runs the
//! same cases for longer.

use catena::testing::kinds::{case_seed, kinds};
use std::time::Instant;

/// How many cases of a kind; relations make slow ones.
fn n_cases(kind: &str) -> u64 {
    match kind {
        "epr" | "stratified" | "epr_sorts" => 150,
        // NOTE: some of the larger integer problems take seconds.
        "mixed_deep" | "ints_large" => 20,
        "reach_deep" | "lisbq_many" | "proof_mutation" => 100,
        "trace" => 150,
        "rule_text" | "smtlib_text" => 1000,
        // Millions of heaps for each case: for torture.
        "sep_all" => 0,
        "sep_plain" | "sep_mixed" | "sep_definitions" | "sep_double" | "sep_data" => 40,
        "sep_inductive" | "sep_inductive_data" => 40,
        // Each compiles programs; `compiled.rs` runs more of them.
        "compiled" | "plaincells" => 4,
        _ => 300,
    }
}

#[test]
fn all_kinds() {
    let all = kinds();
    // Two threads, as few machines have less; the cases are independent.
    let half = |parity: usize| {
        let mut report = Vec::new();
        for kind in kinds().iter().skip(parity).step_by(2) {
            let start = Instant::now();
            for index in 0..n_cases(kind.name) {
                let seed = case_seed(0, kind.name, index);
                if let Err(complaint) = kind.run(seed) {
                    report.push(format!("--kind {} --case {seed}\n{complaint}", kind.name));
                    break;
                }
            }
            eprintln!("{}: {} cases in {:?}", kind.name, n_cases(kind.name), start.elapsed());
        }
        report
    };
    let report: Vec<String> = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut report = half(0);
        report.extend(other.join().expect("panics are caught"));
        report
    });
    assert!(report.is_empty(), "{} of {} kinds complain:\n{}", report.len(), all.len(), report.join("\n\n"));
}

#[test]
fn names_are_unique() {
    let all = kinds();
    for (i, kind) in all.iter().enumerate() {
        assert!(all[i + 1..].iter().all(|k| k.name != kind.name), "{}", kind.name);
    }
}
