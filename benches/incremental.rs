//! What does a query cost on a solver that has answered many before it?
//!
//! First the path questions of the LISBQ conditions: the negated goal (the last assertion) is cut into its
//! paths by expanding `or` below `and` six levels, each path is asked under assumptions on one solver; a
//! sample is asked again on fresh solvers and must get the same answers; `min. cores` is the mean when cores
//! are made minimal, which asks more than the caller did. Then queries as property-directed reachability
//! asks them (`common/pdr.rs`), in both encodings of reachability.
//!
//! Arguments select rows by parts of their names; a number among them is the number of those queries.

#[path = "common/files.rs"]
mod files;
#[path = "common/pdr.rs"]
mod pdr;

use catena::engine::solver::{Answer, Config, Solver};
use catena::frontend::smtlib;
use catena::logic::{Op, TermId, Terms};
use std::time::Instant;

const LEVELS: usize = 6;
const SAMPLE: usize = 20;
/// Unless an argument is a number.
const QUERIES: usize = 10_000;

fn main() {
    let mut wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let queries = wanted.iter().find_map(|w| w.parse().ok()).unwrap_or(QUERIES);
    wanted.retain(|w| w.parse::<usize>().is_err());
    let selected = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str()));
    println!(
        "{:22} {:>5} {:>9} {:>8} {:>8} {:>8} {:>9} {:>10} (queries)",
        "paths", "asked", "total ms", "mean", "median", "last 1/3", "fresh", "min. cores"
    );
    for file in files::conditions().into_iter().filter(|f| selected(&files::name(f))) {
        let text = std::fs::read_to_string(&file).expect("readable");
        path_questions(&files::name(&file), &text);
    }
    for (name, encoding) in [("pdr-relation", pdr::Encoding::Relation), ("pdr-native", pdr::Encoding::Native)]
    {
        for n_cells in pdr::CELLS {
            let name = format!("{name}-{n_cells}");
            if selected(&name) {
                pdr_queries(&name, encoding, n_cells, queries);
            }
        }
    }
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

fn path_questions(name: &str, text: &str) {
    let (times, answers) = ask_paths(text, false);
    let (with_cores, _) = ask_paths(text, true);
    let mut fresh = Vec::new();
    for at in (0..times.len()).step_by(times.len().div_ceil(SAMPLE)) {
        let start = Instant::now();
        let answer = fresh_answer(text, at);
        fresh.push(start.elapsed().as_secs_f64() * 1e3);
        assert_eq!(word(&answer), answers[at], "{name}, path {at}: fresh and incremental solver");
    }
    let last_third = &times[times.len() - times.len().div_ceil(3)..];
    println!(
        "{name:22} {:5} {:9.1} {:8.3} {:8.3} {:8.3} {:9.3} {:10.3} ({})",
        times.len(),
        times.iter().sum::<f64>(),
        mean(&times),
        median(&times),
        mean(last_third),
        mean(&fresh),
        mean(&with_cores),
        with_cores.len()
    );
}

/// Milliseconds and answers of the path questions on one solver; stops early after ten seconds.
fn ask_paths(text: &str, minimise_cores: bool) -> (Vec<f64>, Vec<&'static str>) {
    let mut terms = Terms::new();
    let mut formulas = smtlib::read(text, &mut terms).expect("the conditions are well formed").formulas();
    let goal = formulas.pop().expect("a condition has a goal");
    let paths = paths(&terms, goal, LEVELS);
    let mut solver = Solver::with_terms(Config { minimise_cores, ..Config::default() }, terms);
    for formula in formulas {
        solver.assert(formula).expect("closed");
    }
    let mut answers = Vec::new();
    let mut times = Vec::new();
    let started = Instant::now();
    for path in &paths {
        let start = Instant::now();
        let answer = solver.check_assuming(path).expect("closed");
        times.push(start.elapsed().as_secs_f64() * 1e3);
        answers.push(word(&answer));
        if started.elapsed().as_secs() >= 10 {
            break;
        }
    }
    (times, answers)
}

/// Path `at` asked on a solver of its own, everything from the text on.
fn fresh_answer(text: &str, at: usize) -> Answer {
    let mut terms = Terms::new();
    let mut formulas = smtlib::read(text, &mut terms).expect("read before").formulas();
    let goal = formulas.pop().expect("read before");
    let path = paths(&terms, goal, LEVELS).swap_remove(at);
    let mut solver = Solver::with_terms(Config::default(), terms);
    for formula in formulas.into_iter().chain(path) {
        solver.assert(formula).expect("closed");
    }
    solver.check()
}

/// The conjunctions whose disjunction the formula is, after expanding so many levels of disjunctions. Of a
/// conjunction only the last disjunction is expanded: program paths nest there.
fn paths(terms: &Terms, formula: TermId, levels: usize) -> Vec<Vec<TermId>> {
    let children = terms.children(formula);
    match terms.op(formula) {
        Op::Or if levels > 0 => children.iter().flat_map(|&c| paths(terms, c, levels - 1)).collect(),
        Op::And if levels > 0 => {
            let Some(&last) = children.iter().rfind(|&&c| matches!(terms.op(c), Op::Or)) else {
                return vec![vec![formula]];
            };
            let mut all = paths(terms, last, levels);
            for path in &mut all {
                path.extend(children.iter().filter(|&&c| c != last));
            }
            all
        }
        _ => vec![vec![formula]],
    }
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn pdr_queries(name: &str, encoding: pdr::Encoding, n_cells: usize, queries: usize) {
    let trace = pdr::record(encoding, n_cells, queries, 5);
    let sat = trace.calls.iter().filter(|c| matches!(c, pdr::Call::Check(_, true))).count();
    for minimise_cores in [false, true] {
        let (solver, times) = pdr::replay(&trace, Config { minimise_cores, ..Config::default() });
        let s = solver.stats();
        let tenth = times.len() / 10;
        println!(
            "{name:22} {:5} {:9.1} {:8.3} {:8.3}   first tenth {:.3}, last tenth {:.3}; minimal cores {minimise_cores}; \
             {sat} sat; checks {} conflicts {} decisions {} instances {} clauses {} facts {}",
            s.queries,
            times.iter().sum::<f64>(),
            mean(&times),
            median(&times),
            mean(&times[..tenth]),
            mean(&times[times.len() - tenth..]),
            s.theory_checks,
            s.conflicts,
            s.decisions,
            s.instances,
            s.clauses,
            s.facts
        );
    }
}
