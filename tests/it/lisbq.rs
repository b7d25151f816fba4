//! The procedures of the LISBQ paper through the engine `vc`.

use crate::lq;
use catena::analysis::{Setup, vc};
use catena::program::Question;
use catena::util::limits::Limits;
use std::time::{Duration, Instant};

#[test]
fn the_papers_procedures_are_verified() {
    let directory = crate::shared().join("benchmarks/lisbq");
    let files = crate::files(&directory, "lq");
    if files.is_empty() {
        eprintln!("skipped: no benchmarks in {}", directory.display());
        return;
    }
    assert_eq!(files.len(), 10);
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for program in lq::read(&text) {
            let setup = Setup {
                limits: Limits { time: Some(Duration::from_secs(60)), ..Limits::default() },
                jobs: 1,
                seed: 0,
                ..Setup::default()
            };
            let start = Instant::now();
            let outcome = vc::run(&program, &Question::of_contract(0), &setup, &|_| {});
            eprintln!(
                "{}: {} in {:?}, {:?} obligations",
                program.name,
                outcome.verdict.word(),
                start.elapsed(),
                outcome.counters.obligations
            );
            if outcome.verdict.word() != "verified" {
                wrong.push(format!("{}: {:?}", program.name, outcome.verdict));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
