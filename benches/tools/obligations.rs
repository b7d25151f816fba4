//! Decides the obligations of annotated programs one by one and prints time and counters; `--dump DIR` writes
//! each of them as a script. A tool for measuring, not a front end.

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::c;
use catena::program::{Question, wp};
use catena::util::limits::Limits;
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut dump, mut seconds, mut only) = (None, 20, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--dump" => dump = arguments.next(),
            "--timeout" => seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            "--only" => only = arguments.next().and_then(|s| s.parse().ok()),
            file => obligations(file, dump.as_deref(), Duration::from_secs(seconds), only),
        }
    }
}

fn obligations(file: &str, dump: Option<&str>, timeout: Duration, only: Option<usize>) {
    let bytes = std::fs::read(file).expect("readable");
    for function in c::load(file, &bytes, &c::Options::default()).functions {
        let Ok(program) = &function.program else { continue };
        let question = Question::of_contract(0);
        let start = Instant::now();
        let conditions = match wp::conditions(program, &question) {
            Ok(conditions) => conditions,
            Err(reason) => {
                println!("{}: {}", program.name, reason.message);
                continue;
            }
        };
        let made = start.elapsed().as_secs_f64() * 1e3;
        println!(
            "{}: {} obligations, {} terms, {made:.1} ms",
            program.name,
            conditions.obligations.len(),
            conditions.encoder.terms.len()
        );
        for (i, obligation) in conditions.obligations.iter().enumerate() {
            if only.is_some_and(|o| o != i) {
                continue;
            }
            if let Some(directory) = dump
                && let Ok(script) = wp::script(&conditions, i)
            {
                let path = std::path::Path::new(directory).join(format!("{}_{i}.smt2", program.name));
                std::fs::write(path, script).expect("writable");
            }
            let Ok(goal) = obligation.goal else { continue };
            let config = Config { minimise_cores: false, ..Config::default() };
            let start = Instant::now();
            let mut solver = Solver::with_terms(config, conditions.encoder.terms.clone());
            for &fact in conditions.encoder.facts.iter().chain(&conditions.hypotheses) {
                solver.assert(fact).expect("closed");
            }
            let negated = solver.terms_mut().not(goal).expect("a formula");
            solver.set_limits(Limits { time: Some(timeout), ..Limits::default() });
            let answer = match solver.check_assuming(&[obligation.path, negated]) {
                Ok(Answer::Unsat(_)) => "proved".to_owned(),
                Ok(Answer::Sat(_)) => "REFUTED".to_owned(),
                Ok(Answer::Unknown(reason)) => format!("OPEN: {reason}"),
                Err(error) => error.to_string(),
            };
            let ms = start.elapsed().as_secs_f64() * 1e3;
            let s = solver.stats();
            println!(
                "{i:3} {answer:8} {ms:9.2} ms checks {} conflicts {} splits {} instances {} clauses {} facts {} decisions {}  {}",
                s.theory_checks,
                s.conflicts,
                s.splits,
                s.instances,
                s.clauses,
                s.facts,
                s.decisions,
                obligation.what
            );
        }
    }
}
