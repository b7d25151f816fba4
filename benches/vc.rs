//! The engine `vc` on the annotated programs that are expected to be verified: how long, with how many
//! obligations, and how long do Z3 and cvc5 need for the same obligations, axiomatised?
//!
//! All times are CPU. Ours is one thread on all obligations, the best of three runs; Z3's is one process
//! per clause, start included, cvc5's the solver inside its Python package, start not included; both are summed,
//! and a solver that needs more than the limit for one clause is not asked the others. An answer `sat` is a
//! panic; what `vc` does not verify is not asked. Arguments select programs by parts of their names; `twins` among them
//! adds the broken ones, without other solvers, and compares every verdict with the one that is expected; `lisbq` stands
//! for that directory.

#[path = "common/child.rs"]
mod child;
#[path = "common/cvc5.rs"]
mod cvc5;
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
    let only_lisbq = wanted.iter().any(|w| w == "lisbq");
    let wanted: Vec<String> = wanted.into_iter().filter(|w| w != "lisbq").collect();
    let z3 = if twins { None } else { z3::z3() };
    let cvc5 = !twins && cvc5::has_cvc5();
    for (there, name) in [(z3.is_some(), "z3"), (cvc5, "cvc5")] {
        if !there {
            eprintln!("SKIPPED: {name} is not installed or not asked");
        }
    }
    let others = Others { z3, cvc5 };
    println!(
        "{:36} {:>9} {:>11} {:>8} {:>9} {:>8} {:>9} {:>9}",
        "function", "verdict", "obligations", "ours ms", "z3 ms", "z3/ours", "cvc5 ms", "cvc5/ours"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let directories: &[&str] = if only_lisbq { &["lisbq"] } else { &["lisbq", "beyond"] };
    for directory in directories {
        let Ok(entries) = std::fs::read_dir(root.join(directory)) else { continue };
        let mut files: Vec<_> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        files.sort();
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let name = file.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
            let selected = wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str()));
            if !selected || (!twins && text.contains("// STATUS: ")) {
                continue;
            }
            for function in c::load(&name, text.as_bytes(), &c::Options::default()).functions {
                match &function.program {
                    Ok(program) => row(program, &name, text.lines().next().unwrap_or(""), &others),
                    Err(diagnostics) => println!("{name}: {diagnostics:?}"),
                }
            }
        }
    }
}

/// The solvers that are installed.
struct Others {
    z3: Option<String>,
    cvc5: bool,
}

fn row(program: &Program, file: &str, expected: &str, others: &Others) {
    let question = Question::of_contract(0);
    let limits = Limits { time: Some(Duration::from_secs(30)), ..Limits::default() };
    let setup = Setup { limits, jobs: 1, ..Setup::default() };
    let mut best = f64::INFINITY;
    let mut outcome: Option<catena::verdict::Outcome> = None;
    let rounds = if others.z3.is_some() || others.cvc5 { 3 } else { 1 };
    for _ in 0..rounds {
        let (start, cpu) = (Instant::now(), own_cpu_ms());
        let mut times = 0;
        // The clock of a thread ticks in milliseconds.
        while times == 0 || (rounds > 1 && start.elapsed() < Duration::from_millis(100)) {
            outcome = Some(vc::run(program, &question, &setup, &|_| {}));
            times += 1;
        }
        let spent = cpu.zip(own_cpu_ms()).map(|(before, after)| after - before);
        best = best.min(spent.unwrap_or(start.elapsed().as_secs_f64() * 1e3) / f64::from(times));
    }
    let outcome = outcome.expect("at least one run");
    let file_name = std::env::temp_dir().join(format!("vc-{}.smt2", std::process::id()));
    // Programs of other engines stand in the same directory; of what is not verified some condition is refutable.
    let verified = matches!(outcome.verdict, Verdict::Verified(_));
    let z3 = others.z3.as_deref().filter(|_| verified).map(|z3| {
        sum(program, &question, &file_name, &|path| {
            let (ms, answer) = child::run(Command::new(z3).arg(path), None::<File>)?;
            Some((ms, answer))
        })
    });
    let cvc5 = (others.cvc5 && verified).then(|| {
        sum(program, &question, &file_name, &|path| {
            let mut command = Command::new("python3");
            command.args(["-c", cvc5::CVC5]).arg(path);
            let (_, answer) = child::run(&mut command, None::<File>)?;
            let own = answer.lines().last()?.parse().ok()?;
            Some((own, answer))
        })
    });
    let _ = std::fs::remove_file(&file_name);
    let columns = [z3, cvc5].map(|theirs| match theirs {
        None => ("-".to_owned(), "-".to_owned()),
        Some(None) => ("over".to_owned(), "-".to_owned()),
        Some(Some(ms)) => (format!("{ms:.0}"), format!("{:.1}", ms / best)),
    });
    let word = outcome.verdict.word();
    let detail = match &outcome.verdict {
        Verdict::Violated(trace) => trace.failure.message.clone(),
        Verdict::TooWeak(weakness) => weakness.failure.message.clone(),
        Verdict::Unknown(reason) => reason.message.clone(),
        Verdict::Verified(_) => String::new(),
    };
    let mark = if expected.contains(word) { "" } else { "not by vc" };
    println!(
        "{:36} {word:>9} {:>11} {best:>8.1} {:>9} {:>8} {:>9} {:>9} {mark} {detail}",
        if file.starts_with(&program.name) { file.to_owned() } else { format!("{file}:{}", program.name) },
        outcome.counters.obligations.unwrap_or(0),
        columns[0].0,
        columns[0].1,
        columns[1].0,
        columns[1].1,
    );
}

/// CPU of this thread so far.
fn own_cpu_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e6)
}

/// CPU milliseconds of another solver for all obligations; nothing if it was stopped.
fn sum(
    program: &Program,
    question: &Question,
    file: &Path,
    ask: &dyn Fn(&Path) -> Option<(f64, String)>,
) -> Option<f64> {
    let conditions = wp::conditions(program, question).expect("the engine made them too");
    let mut total = 0.0;
    for clause in conditions.clauses() {
        let mut terms = conditions.encoder.terms.clone();
        let obligation = &conditions.obligations[clause.start];
        let goals = conditions.obligations[clause].iter().map(|o| o.goal.clone().ok());
        let goal = terms.and(&goals.collect::<Option<Vec<_>>>()?).ok()?;
        let negated = terms.not(goal).ok()?;
        let mut formulas = conditions.encoder.facts.clone();
        formulas.extend(&conditions.hypotheses);
        formulas.extend([obligation.path, negated]);
        let text = axiomatised(&Problem { terms, formulas }, Some(Status::Unsat));
        std::fs::write(file, text).ok()?;
        let (ms, answer) = ask(file)?;
        assert!(!answer.contains("error"), "another solver does not read the script: {answer}");
        assert!(!answer.lines().any(|l| l == "sat"), "another solver refutes {}", obligation.what);
        total += ms;
    }
    Some(total)
}
