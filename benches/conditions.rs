//! How long does each of the eleven LISBQ conditions take in process, reading included, with which counters,
//! and how far does that depend on the order of children in the formula?

#[path = "common/solve.rs"]
mod common;
#[path = "common/files.rs"]
mod files;

use catena::frontend::smtlib;
use catena::logic::Terms;
use catena::testing::Problem;
use catena::testing::families::shuffled;
use catena::util::rng::Rng;
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};

const SHUFFLES: u64 = 8;

fn read(text: &str) -> (Problem, Option<smtlib::Status>) {
    let mut terms = Terms::new();
    let script = smtlib::read(text, &mut terms).expect("the conditions are well formed");
    let (formulas, status) = (script.formulas(), script.status);
    (Problem { terms, formulas }, status)
}

/// Prints counters, and the times of shuffled variants.
fn report(name: &str, text: &str) {
    let (problem, status) = read(text);
    let (answer, s) = common::solve(problem.clone(), None);
    assert_eq!(answer, status, "{name}");
    let mut times: Vec<f64> = Vec::new();
    for seed in 0..SHUFFLES {
        let mut problem = problem.clone();
        let mut rng = Rng::new(seed);
        for formula in &mut problem.formulas {
            *formula = shuffled(&mut problem.terms, *formula, &mut rng);
        }
        let start = Instant::now();
        assert_eq!(common::solve(problem, None).0, status, "{name}, shuffled with seed {seed}");
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_unstable_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "{name}: checks {} conflicts {} decisions {} splits {} instances {} clauses {} facts {}; \
         shuffled: {:.1} to {:.1} ms, mean {mean:.1}",
        s.theory_checks,
        s.conflicts,
        s.decisions,
        s.splits,
        s.instances,
        s.clauses,
        s.facts,
        times[0],
        times[times.len() - 1],
    );
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("conditions");
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_secs(1));
    for file in files::conditions() {
        let text = std::fs::read_to_string(&file).expect("readable");
        let name = files::name(&file);
        report(&name, &text);
        group.bench_function(&name, |b| b.iter(|| common::solve(read(&text).0, None)));
    }
    group.finish();
}

criterion_group!(conditions, benches);
criterion_main!(conditions);
