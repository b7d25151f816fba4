//! The back ends side by side: random 3-SAT at the threshold, pigeonhole, and an incremental trace shaped
//! like the queries of property-directed reachability.

use catena::sat::cnf::Cnf;
use catena::sat::{Backend, Lit, Outcome, Solver, Var};
use catena::util::limits::Budget;
use catena::util::rng::Rng;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;

fn load(backend: Backend, cnf: &Cnf) -> Solver {
    let mut solver = Solver::new(backend);
    (0..cnf.vars).for_each(|_| _ = solver.new_var());
    cnf.clauses.iter().for_each(|clause| solver.add_clause(clause));
    solver
}

fn solve_all(backend: Backend, cnfs: &[Cnf]) -> usize {
    let answers = cnfs.iter().map(|cnf| load(backend, cnf).solve(&[], &mut Budget::unlimited()));
    answers.filter(|answer| *answer == Ok(Outcome::Sat)).count()
}

/// A random circuit over `bits` state variables: each next-state bit is a gate of three others.
fn transition(bits: u32, rng: &mut Rng) -> Cnf {
    let mut cnf = Cnf { vars: 2 * bits, clauses: Vec::new() };
    for bit in 0..bits {
        let next = Var(bits + bit).positive();
        let input = |rng: &mut Rng| Lit::new(Var(rng.below(bits as usize) as u32), rng.one_in(2));
        let (a, b, c) = (input(rng), input(rng), input(rng));
        // next = if a then b else c
        for clause in [[!a, !b, next], [!a, b, !next], [a, !c, next], [a, c, !next]] {
            cnf.clauses.push(clause.to_vec());
        }
    }
    cnf
}

/// Consecution queries: frames behind activation literals, a temporary clause for each query, the
/// next-state cube assumed, lemmas made from cores. Returns a checksum of the answers.
fn reachability_trace(backend: Backend, bits: u32, queries: usize, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut solver = load(backend, &transition(bits, &mut rng));
    let mut budget = Budget::unlimited();
    let frames: Vec<Lit> = (0..8).map(|_| solver.new_var().positive()).collect();
    let mut unsat = 0;
    for _ in 0..queries {
        let frame = rng.below(frames.len());
        let mut cube: Vec<Lit> = Vec::new();
        for bit in 0..bits {
            if rng.one_in(4) {
                cube.push(Lit::new(Var(bit), rng.one_in(2)));
            }
        }
        let guard = solver.new_var().positive();
        let mut temporary: Vec<Lit> = cube.iter().map(|&lit| !lit).collect();
        temporary.push(!guard);
        solver.add_clause(&temporary);
        let primed = |lit: Lit| Lit::new(Var(lit.var().0 + bits), lit.is_positive());
        let mut assumptions: Vec<Lit> = frames[frame..].to_vec();
        assumptions.push(guard);
        assumptions.extend(cube.iter().map(|&lit| primed(lit)));
        if solver.solve(&assumptions, &mut budget) == Ok(Outcome::Unsat) {
            unsat += 1;
            let core = solver.core();
            let lemma = cube.iter().filter(|&&lit| core.contains(&primed(lit))).map(|&lit| !lit);
            let lemma: Vec<Lit> = lemma.chain([!frames[frame]]).collect();
            solver.add_clause(&lemma);
        }
        solver.add_clause(&[!guard]);
    }
    unsat
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("sat");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(2));
    let mut rng = Rng::new(2024);
    let random: Vec<Cnf> = [150u32, 160, 175, 175, 200]
        .map(|vars| Cnf::random(vars, vars as usize * 426 / 100, 3, &mut rng))
        .into();
    let holes = [Cnf::pigeonhole(8, 7)];
    for &backend in Backend::ALL {
        let name = format!("{backend:?}");
        group.bench_function(BenchmarkId::new("random-3sat", &name), |b| {
            b.iter(|| solve_all(backend, &random))
        });
        group.bench_function(BenchmarkId::new("pigeonhole-8-7", &name), |b| {
            b.iter(|| solve_all(backend, &holes))
        });
        for bits in [60, 120] {
            let trace = BenchmarkId::new(format!("trace-{bits}"), &name);
            group.bench_function(trace, |b| b.iter(|| reachability_trace(backend, bits, 3000, 11)));
        }
    }
    group.finish();
}

criterion_group!(sat, benches);
criterion_main!(sat);
