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
        // If a then b else c; for every third bit, a xor b.
        let c = if bit % 3 == 0 { !b } else { c };
        for clause in [[!a, !b, next], [!a, b, !next], [a, !c, next], [a, c, !next]] {
            cnf.clauses.push(clause.to_vec());
        }
    }
    cnf
}

/// One call of a recorded trace.
enum Call {
    NewVar,
    Clause(Vec<Lit>),
    Solve(Vec<Lit>),
}

/// Lemmas of a recorded trace have at least this many state literals, if the cube has.
const LEMMA: usize = 5;

/// Records the calls made on a solver.
struct Recorder {
    solver: Solver,
    calls: Vec<Call>,
    bits: u32,
    frames: Vec<Lit>,
    queries: usize,
}

impl Recorder {
    /// Frames behind activation literals; in frame 0 every second bit is false.
    fn new(bits: u32, rng: &mut Rng) -> Recorder {
        let cnf = transition(bits, rng);
        let calls = Vec::new();
        let mut all =
            Recorder { solver: Solver::new(Backend::Varisat), calls, bits, frames: Vec::new(), queries: 0 };
        (0..cnf.vars).for_each(|_| _ = all.new_var());
        cnf.clauses.into_iter().for_each(|clause| all.add(clause));
        all.frames = (0..8).map(|_| all.new_var()).collect();
        (0..bits).step_by(2).for_each(|bit| all.add(vec![!all.frames[0], Var(bit).negative()]));
        all
    }

    fn new_var(&mut self) -> Lit {
        self.calls.push(Call::NewVar);
        self.solver.new_var().positive()
    }

    fn add(&mut self, clause: Vec<Lit>) {
        self.solver.add_clause(&clause);
        self.calls.push(Call::Clause(clause));
    }

    /// Can the cube be entered from the frame below `frame`, from outside the cube? If not, the part of the
    /// cube that shows it; if so, a predecessor.
    fn consecution(&mut self, frame: usize, cube: &[Lit]) -> Result<Vec<Lit>, Vec<Lit>> {
        let guard = self.new_var();
        self.add(cube.iter().map(|&lit| !lit).chain([!guard]).collect());
        let bits = self.bits;
        let primed = |lit: Lit| Lit::new(Var(lit.var().0 + bits), lit.is_positive());
        let mut assumptions = self.frames[frame - 1..].to_vec();
        assumptions.push(guard);
        assumptions.extend(cube.iter().map(|&lit| primed(lit)));
        let outcome = self.solver.solve(&assumptions, &mut Budget::unlimited());
        let answer = if outcome == Ok(Outcome::Unsat) {
            Ok(cube.iter().copied().filter(|&lit| self.solver.core().contains(&primed(lit))).collect())
        } else {
            let value = |var: Var| self.solver.value(var.positive()) == Some(true);
            Err((0..bits).map(|bit| Lit::new(Var(bit), value(Var(bit)))).collect())
        };
        self.calls.push(Call::Solve(assumptions));
        self.add(vec![!guard]);
        self.queries += 1;
        answer
    }

    /// Blocks a cube at a frame if it can be done, with a few tries to drop literals from each lemma.
    fn block(&mut self, frame: usize, cube: &[Lit], rng: &mut Rng) -> bool {
        for _ in 0..20 {
            match self.consecution(frame, cube) {
                Ok(mut lemma) => {
                    for _ in 0..4 {
                        let mut less = lemma.clone();
                        if less.len() > LEMMA {
                            less.remove(rng.below(less.len()));
                        }
                        if let Ok(smaller) = self.consecution(frame, &less) {
                            lemma = smaller;
                        }
                    }
                    // Stands in for initiation: without a floor the lemmas would soon empty the frames.
                    let more = cube.iter().filter(|lit| !lemma.contains(lit)).copied();
                    let more: Vec<Lit> = more.take(LEMMA.saturating_sub(lemma.len())).collect();
                    lemma.extend(more);
                    self.add(lemma.iter().map(|&lit| !lit).chain([!self.frames[frame]]).collect());
                    return true;
                }
                Err(_) if frame == 1 => return false,
                Err(mut before) => {
                    // Stands in for lifting, which drops about as much.
                    before.retain(|_| rng.one_in(2));
                    if !self.block(frame - 1, &before, rng) {
                        return false;
                    }
                }
            }
        }
        false
    }
}

/// Queries as property-directed reachability asks them, for random cubes over a random circuit. Varisat
/// answers while recording, so that tuning our own solver does not change the trace; every back end then
/// replays the same calls.
fn record(bits: u32, queries: usize, seed: u64) -> Vec<Call> {
    let mut rng = Rng::new(seed);
    let mut all = Recorder::new(bits, &mut rng);
    while all.queries < queries {
        let start = rng.below(bits as usize - 8) as u32;
        let cube: Vec<Lit> = (start..start + 8).map(|bit| Lit::new(Var(bit), rng.one_in(2))).collect();
        let frame = 1 + rng.below(all.frames.len() - 1);
        all.block(frame, &cube, &mut rng);
    }
    all.calls
}

/// Replays a trace; returns how many queries were unsatisfiable.
fn replay(backend: Backend, calls: &[Call]) -> usize {
    let mut solver = Solver::new(backend);
    let mut unsat = 0;
    for call in calls {
        match call {
            Call::NewVar => _ = solver.new_var(),
            Call::Clause(clause) => solver.add_clause(clause),
            Call::Solve(assumptions) => {
                let answer = solver.solve(assumptions, &mut Budget::unlimited());
                unsat += usize::from(answer == Ok(Outcome::Unsat));
            }
        }
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
    let traces = [60, 120].map(|bits| (bits, record(bits, 3000, 11)));
    for &backend in Backend::ALL {
        let name = format!("{backend:?}");
        group.bench_function(BenchmarkId::new("random-3sat", &name), |b| {
            b.iter(|| solve_all(backend, &random))
        });
        group.bench_function(BenchmarkId::new("pigeonhole-8-7", &name), |b| {
            b.iter(|| solve_all(backend, &holes))
        });
        for (bits, calls) in &traces {
            let trace = BenchmarkId::new(format!("trace-{bits}"), &name);
            group.bench_function(trace, |b| b.iter(|| replay(backend, calls)));
        }
    }
    group.finish();
}

criterion_group!(sat, benches);
criterion_main!(sat);
