//! Engine `pdr`: every row of the paper's tables, and growth with the number of variables (so of predicates)
//! and of loops. Exponents are printed before the measurements.

use catena::analysis::{Setup, pdr};
use catena::frontend::c;
use catena::program::{Program, Question};
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};

fn programs(text: &str) -> Vec<(Program, usize)> {
    let unit = c::load("bench.c", text.as_bytes(), &c::Options::default());
    let mut out = Vec::new();
    for function in unit.functions {
        let program = function.program.expect("a program of the suite");
        out.extend((0..program.contracts.len()).map(|at| (program.clone(), at)));
    }
    out
}

fn decide(program: &Program, contract: usize) -> (&'static str, u64) {
    let outcome = pdr::run(program, &Question::of_contract(contract), &Setup::default(), &|_| {});
    (outcome.verdict.word(), outcome.counters.predicates.unwrap_or(0))
}

/// The best of three runs.
fn time(program: &Program, contract: usize) -> f64 {
    let run = || {
        let start = Instant::now();
        decide(program, contract);
        start.elapsed().as_secs_f64()
    };
    (0..3).map(|_| run()).fold(f64::MAX, f64::min)
}

const NODE: &str = "#include <stdlib.h>\nstruct node { int d; struct node *n; };\n";

/// `reverse` with extra parameters that the property speaks of.
fn reverse(ghosts: usize) -> String {
    let names: Vec<String> = (0..ghosts).map(|i| format!("x{i}")).collect();
    let params: String = names.iter().map(|x| format!(", struct node *{x}")).collect();
    let requires: String = names.iter().map(|x| format!(" && h -n*-> {x}")).collect();
    let ensures: String = names.iter().map(|x| format!(" && (\\result -n*-> {x})")).collect();
    format!(
        "{NODE}/*@ requires \\list(n, h){requires}; ensures \\list(n, \\result){ensures}; @*/
struct node *reverse(struct node *h{params}) {{
  struct node *i = h, *j = NULL;
  while (i != NULL) {{ struct node *k = i->n; i->n = j; j = i; i = k; }}
  return j;
}}"
    )
}

/// Walks one after another.
fn walks(loops: usize) -> String {
    let body: String =
        (0..loops).map(|_| "  p = h; while (p != NULL) { q = p; p = p->n; }\n".to_string()).collect();
    format!(
        "{NODE}/*@ requires \\list(n, h) && h != NULL; ensures h -n*-> \\result && \\result->n == NULL; @*/
struct node *walk(struct node *h) {{
  struct node *p, *q = NULL;
{body}  return q;
}}"
    )
}

/// Times for growing sizes, and the exponent of a fit against `size`.
fn growth(name: &str, make: impl Fn(usize) -> String, sizes: std::ops::RangeInclusive<usize>) {
    let mut points = Vec::new();
    for size in sizes {
        for (program, contract) in programs(&make(size)) {
            let (word, predicates) = decide(&program, contract);
            let seconds = time(&program, contract);
            println!("{name} {size}: {word}, {predicates} predicates, {:.2} ms", seconds * 1e3);
            points.push(((predicates.max(1) as f64).ln(), seconds.ln()));
        }
    }
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let (top, bottom) = points
        .iter()
        .fold((0.0, 0.0), |(t, b), p| (t + (p.0 - mx) * (p.1 - my), b + (p.0 - mx) * (p.0 - mx)));
    println!("{name}: time grows with predicates to the power {:.1}", top / bottom);
}

fn rows(c: &mut Criterion) {
    growth("reverse with constants", reverse, 0..=5);
    growth("loops in sequence", walks, 1..=6);
    let mut all: Vec<(String, Program, usize)> = Vec::new();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/pdr");
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).expect("the programs").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        for (program, contract) in programs(&text) {
            let behavior = program.contracts[contract].behavior.clone().unwrap_or_default();
            all.push((format!("{name}.{behavior}"), program, contract));
        }
    }
    let mut sum = 0.0;
    for (name, program, contract) in &all {
        let (word, predicates) = decide(program, *contract);
        let seconds = time(program, *contract);
        sum += seconds;
        println!("{name:36} {word:10} {predicates:4} predicates {:9.3} ms", seconds * 1e3);
    }
    println!("all {} rows: {:.1} ms", all.len(), sum * 1e3);
    let mut group = c.benchmark_group("pdr");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    group.bench_function("tables", |b| {
        b.iter(|| {
            for (_, program, contract) in &all {
                decide(program, *contract);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, rows);
criterion_main!(benches);
