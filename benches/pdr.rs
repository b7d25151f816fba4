//! Engine `pdr`: every row of the paper's tables, in several orders of the predicates and against a peer on
//! Z3; growth with the number of logic constants and variables (so of predicates) and of loops. Exponents are
//! printed before the measurements.

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

/// Extra constants that the property speaks of: their declaration, "reached from", "reaches in the end".
fn constants(count: usize, from: &str, to: &str) -> (String, String, String) {
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    let logic: String = names.iter().map(|x| format!("logic struct node *{x}; ")).collect();
    let requires: String = names.iter().map(|x| format!(" && {from} -n*-> {x}")).collect();
    let ensures: String = names.iter().map(|x| format!(" && ({to} -n*-> {x})")).collect();
    (logic, requires, ensures)
}

/// `reverse`: what was in the list still is.
fn reverse(count: usize) -> String {
    let (logic, requires, ensures) = constants(count, "h", "\\result");
    format!(
        "{NODE}/*@ {logic}requires \\list(n, h){requires}; ensures \\list(n, \\result){ensures}; @*/
struct node *reverse(struct node *h) {{
  struct node *i = h, *j = NULL;
  while (i != NULL) {{ struct node *k = i->n; i->n = j; j = i; i = k; }}
  return j;
}}"
    )
}

/// `filter`: what passes the filter stays.
fn filter(count: usize) -> String {
    let (logic, requires, ensures) = constants(count, "h", "\\result");
    let passes: String = (0..count).map(|i| format!(" && (x{i} != NULL ==> x{i}->d != 0)")).collect();
    format!(
        "{NODE}/*@ {logic}requires \\list(n, h){requires}{passes}; ensures \\list(n, \\result){ensures}; @*/
struct node *filter(struct node *h) {{
  struct node *i = h, *j = NULL;
  while (i != NULL) {{
    struct node *t = i->n;
    if (i->d) j = i; else if (i == h) h = t; else j->n = t;
    i = t;
  }}
  return h;
}}"
    )
}

/// `sorted_merge`: what was in the first list is in the result.
fn merge(count: usize) -> String {
    let (logic, requires, ensures) = constants(count, "i", "\\result");
    format!(
        "{NODE}/*@ {logic}requires \\list(n, i) && \\list(n, j) && \\unshared(n, i, NULL) && \\unshared(n, j, NULL);
requires i != NULL && j != NULL ==> !(i -n*-> j) && !(j -n*-> i);
requires \\list(n, i){requires}; ensures \\list(n, \\result){ensures}; @*/
struct node *merge(struct node *i, struct node *j) {{
  struct node *h = NULL, *t = NULL, *u;
  while (i != NULL && j != NULL) {{
    if (i->d <= j->d) {{ u = i; i = i->n; }} else {{ u = j; j = j->n; }}
    if (t == NULL) h = u; else t->n = u;
    t = u;
  }}
  if (i != NULL) u = i; else u = j;
  if (t == NULL) h = u; else t->n = u;
  return h;
}}"
    )
}

/// Variables that follow one another through a list.
fn trailing(count: usize) -> String {
    let vars: String = (0..count).map(|i| format!(", *p{i} = NULL")).collect();
    let shift: String = (0..count)
        .rev()
        .map(|i| match i {
            0 => " p0 = p;".to_string(),
            i => format!(" p{i} = p{};", i - 1),
        })
        .collect();
    let last = count - 1;
    format!(
        "{NODE}/*@ requires \\list(n, h); ensures \\result != NULL ==> h -n*-> \\result; @*/
struct node *trailing(struct node *h) {{
  struct node *p = h{vars};
  while (p != NULL) {{{shift} p = p->n; }}
  return p{last};
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

/// The slowest run of each row over orders of the predicates.
fn shuffled(all: &[(String, Program, usize)]) {
    let mut worst = (0.0, "");
    for (name, program, contract) in all {
        for seed in 1..=16 {
            let setup = Setup { seed, ..Setup::default() };
            let start = Instant::now();
            let _ = pdr::run(program, &Question::of_contract(*contract), &setup, &|_| {});
            let seconds = start.elapsed().as_secs_f64();
            if seconds > worst.0 {
                worst = (seconds, name);
            }
        }
    }
    println!("16 orders of the predicates: at most {:.1} ms ({})", worst.0 * 1e3, worst.1);
}

/// CPU seconds of the same algorithm driven by Z3 (the benchmarks' notes), where it needs more than one.
const PEER: [(&str, f64); 14] = [
    ("delete.removed", 2.10),
    ("filter.order_kept", 12.72),
    ("filter_bug2.bug", 2.57),
    ("insert.inserted", 6.15),
    ("insert.safety", 7.71),
    ("insert_bug.literal", 5.20),
    ("insert_rotated.inserted", 1.38),
    ("insert_rotated.safety", 1.56),
    ("prev.before", 1.27),
    ("reverse.order_reversed", 41.56),
    ("reverse.safety", 3.30),
    ("sorted_insert.stays_sorted", 1.34),
    ("sorted_merge.safety", 11.16),
    ("sorted_merge.stays_sorted", 18.44),
];

fn versus_peer(all: &[(String, Program, usize)]) {
    for (name, peer) in PEER {
        let Some((_, program, contract)) = all.iter().find(|row| row.0 == name) else { continue };
        let seconds = time(program, *contract);
        println!("{name:36} {:9.3} ms, with Z3 {peer:6.2} s: {:6.0} times", seconds * 1e3, peer / seconds);
    }
}

fn rows(c: &mut Criterion) {
    growth("reverse with constants", reverse, 0..=6);
    growth("filter with constants", filter, 0..=6);
    growth("sorted_merge with constants", merge, 0..=6);
    growth("variables", trailing, 1..=10);
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
    shuffled(&all);
    versus_peer(&all);
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
