//! Decides SMT-LIB files and prints time and counters: a tool for measuring, not a front end.

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib;
use catena::logic::Terms;
use std::time::Instant;

fn main() {
    let mut proofs = false;
    let mut offline = None;
    for file in std::env::args().skip(1) {
        if file == "--offline" {
            offline = Some(catena::sat::Backend::Varisat);
            continue;
        }
        if file == "--proofs" {
            proofs = true;
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("readable");
        let start = Instant::now();
        let mut terms = Terms::new();
        let script = smtlib::read(&text, &mut terms).unwrap_or_else(|e| panic!("{file}:{e}"));
        let parsed = start.elapsed();
        let mut solver = Solver::with_terms(Config { proofs, offline, ..Config::default() }, terms);
        for (formula, _) in &script.assertions {
            solver.assert(*formula).expect("closed");
        }
        let answer = solver.check();
        let total = start.elapsed();
        let word = match &answer {
            Answer::Sat(_) => "sat".to_owned(),
            Answer::Unsat(_) => "unsat".to_owned(),
            Answer::Unknown(reason) => format!("unknown: {reason}"),
        };
        let s = solver.stats();
        println!(
            "{:28} {word:8} {:?} {:8.2} ms (read {:.2}) checks {} conflicts {} splits {} instances {} clauses {} facts {} decisions {}",
            std::path::Path::new(&file).file_stem().unwrap().to_string_lossy(),
            script.status,
            total.as_secs_f64() * 1e3,
            parsed.as_secs_f64() * 1e3,
            s.theory_checks,
            s.conflicts,
            s.splits,
            s.instances,
            s.clauses,
            s.facts,
            s.decisions,
        );
    }
}
