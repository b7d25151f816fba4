//! The engine `vc` on the annotated programs that are expected to be verified: how long, with how many
//! obligations, and how long does Z3 need for the same obligations, axiomatised?
//!
//! Ours is the time of one thread on all obligations, the best of three runs; Z3's is that of one process
//! per obligation, start included, summed. An answer `sat` is a
//! panic. Arguments select programs by parts of their names; `twins` among them adds the broken ones, without
//! Z3, and compares every verdict with the one that is expected.

#[path = "common/child.rs"]
mod child;
#[path = "common/z3.rs"]
mod z3;

use catena::analysis::{Setup, vc};
use catena::frontend::c;
use catena::frontend::smtlib::Status;
use catena::program::{Program, Question, wp};
use catena::testing::families::axiomatised;
use catena::testing::formulas::Problem;
use catena::util::limits::Limits;
use catena::verdict::Verdict;
use std::fs::File;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let twins = wanted.iter().any(|w| w == "twins");
    let wanted: Vec<String> = wanted.into_iter().filter(|w| w != "twins").collect();
    let z3 = if twins { None } else { z3::z3() };
    if z3.is_none() {
        eprintln!("SKIPPED: z3 is not installed");
    }
    println!(
        "{:36} {:>9} {:>11} {:>8} {:>9} {:>8}",
        "function", "verdict", "obligations", "ours ms", "z3 ms", "z3/ours"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    for directory in ["lisbq", "beyond"] {
        let Ok(entries) = std::fs::read_dir(root.join(directory)) else { continue };
        let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let name = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let selected = wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str()));
            if !selected || !(twins || text.starts_with("// expect: verified")) {
                continue;
            }
            for function in c::load(&name, text.as_bytes(), &c::Options::default()).functions {
                match &function.program {
                    Ok(program) => row(program, &name, text.lines().next().unwrap_or(""), z3.as_deref()),
                    Err(diagnostics) => println!("{name}: {diagnostics:?}"),
                }
            }
        }
    }
}

fn row(program: &Program, file: &str, expected: &str, z3: Option<&str>) {
    let question = Question::of_contract(0);
    let limits = Limits { time: Some(Duration::from_secs(30)), ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    let mut best = f64::INFINITY;
    let mut outcome = None;
    let rounds = if z3.is_some() { 3 } else { 1 };
    for _ in 0..rounds {
        let start = Instant::now();
        let found = vc::run(program, &question, &setup, &|_| {});
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
        outcome = Some(found);
    }
    let outcome = outcome.expect("at least one run");
    let theirs = z3.map(|z3| others(program, &question, z3));
    let z3_ms = match theirs {
        None => "-".to_owned(),
        Some(None) => "over".to_owned(),
        Some(Some(ms)) => format!("{ms:.0}"),
    };
    let ratio = theirs.flatten().map_or("-".to_owned(), |ms| format!("{:.1}", ms / best));
    let word = outcome.verdict.word();
    let detail = match &outcome.verdict {
        Verdict::Violated(trace) => trace.failure.message.clone(),
        Verdict::TooWeak(weakness) => weakness.failure.message.clone(),
        Verdict::Unknown(reason) => reason.message.clone(),
        Verdict::Verified(_) => String::new(),
    };
    let mark = if expected.contains(word) { "" } else { "UNEXPECTED" };
    println!(
        "{:36} {word:>9} {:>11} {best:>8.1} {z3_ms:>9} {ratio:>8} {mark} {detail}",
        if file.starts_with(&program.name) { file.to_owned() } else { format!("{file}:{}", program.name) },
        outcome.counters.obligations.unwrap_or(0)
    );
}

/// CPU milliseconds of Z3 for all obligations; nothing if it was stopped.
fn others(program: &Program, question: &Question, z3: &str) -> Option<f64> {
    let conditions = wp::conditions(program, question).expect("the engine made them too");
    let mut total = 0.0;
    let file = std::env::temp_dir().join(format!("vc-{}.smt2", std::process::id()));
    for obligation in &conditions.obligations {
        let mut terms = conditions.encoder.terms.clone();
        let goal = obligation.goal.clone().ok()?;
        let negated = terms.not(goal).ok()?;
        let mut formulas = conditions.encoder.facts.clone();
        formulas.extend(&conditions.hypotheses);
        formulas.extend([obligation.path, negated]);
        let text = axiomatised(&Problem { terms, formulas }, Some(Status::Unsat));
        std::fs::write(&file, text).ok()?;
        let (ms, answer) = child::run(Command::new(z3).arg(&file), None::<File>)?;
        assert!(!answer.contains("\nsat") && !answer.starts_with("sat"), "z3 refutes {}", obligation.what);
        total += ms;
    }
    let _ = std::fs::remove_file(&file);
    Some(total)
}
