//! Which refiner, which order of exploration, and how the engine `lazy` grows.
//!
//! First CPU per row and of all six in this one process; the rows in every mode: refinements, nodes and time. Then programs with k flags, k
//! segments (a list of k runs of different values) and k loops (k lists, one after the other): time and nodes,
//! and the exponent of time in k.

#[path = "common/own.rs"]
mod own;

use catena::analysis::Setup;
use catena::analysis::lazy::{Columns, Refiner, run_columns};
use catena::frontend::c::{Options, load};
use catena::program::{Check, Program, Question};
use std::fmt::Write as _;
use std::time::Instant;

const HEAD: &str = "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int h; struct node *n; };
";

fn program(text: &str) -> Program {
    let unit = load("bench", text.as_bytes(), &Options::default());
    let main = unit.functions.iter().find(|f| f.name == "main").expect("a main function");
    main.program.clone().expect("supported")
}

/// Flags choose values; the check asks for each flag again.
fn flags(k: usize) -> String {
    let mut s = format!("{HEAD}int main() {{ struct node *l = NULL, *x;");
    for i in 0..k {
        let _ = write!(s, " int f{i} = __VERIFIER_nondet_int() != 0; int v{i};");
        let _ = write!(s, " if (f{i}) v{i} = 1; else v{i} = 0;");
    }
    s.push_str(" while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->n = l; x->h = 3; l = x; }");
    for i in 0..k {
        let _ = write!(s, " if (f{i} && v{i} != 1) reach_error();");
    }
    s.push_str(" while (l) { if (l->h != 3) reach_error(); l = l->n; } return 0; }");
    s
}

/// One list whose cells hold 1s, then 2s, and so on; the walk skips them in that order.
fn segments(k: usize) -> String {
    let mut s = format!("{HEAD}int main() {{ struct node *a = malloc(sizeof *a), *p = a, *t;");
    for i in 1..=k {
        let _ = write!(
            s,
            " while (__VERIFIER_nondet_int()) {{ p->h = {i}; t = malloc(sizeof *t); p->n = t; p = t; }}"
        );
    }
    s.push_str(" p->h = 0; p->n = NULL; p = a;");
    for i in 1..=k {
        let _ = write!(s, " while (p->h == {i}) p = p->n;");
    }
    s.push_str(" if (p->h != 0) reach_error(); return 0; }");
    s
}

/// Lists that are built and freed one after the other.
fn loops(k: usize) -> String {
    let mut s = format!("{HEAD}int main() {{ struct node *l, *x;");
    for i in 0..k {
        let _ = write!(
            s,
            " l = NULL; while (__VERIFIER_nondet_int()) {{ x = malloc(sizeof *x); x->h = {i}; x->n = l; l = x; }}
              while (l) {{ if (l->h != {i}) reach_error(); x = l->n; free(l); l = x; }}"
        );
    }
    s.push_str(" return 0; }");
    s
}

fn measure(p: &Program, mode: Columns) -> (f64, u64, u64, &'static str) {
    let question = Question { contract: 0, checks: vec![Check::Memsafety, Check::Asserts] };
    let mut best = f64::MAX;
    let mut last = (0, 0, "");
    for _ in 0..3 {
        let start = Instant::now();
        let outcome = run_columns(p, &question, &Setup::default(), mode, &|_| {});
        best = best.min(start.elapsed().as_secs_f64());
        let count = |c: Option<u64>| c.unwrap_or(0);
        last =
            (count(outcome.counters.refinements), count(outcome.counters.signatures), outcome.verdict.word());
    }
    (best, last.0, last.1, last.2)
}

const ROWS: [&str; 6] = ["simple", "simple_backw", "list", "list_flag", "alternating", "splice"];

fn text_of(row: &str) -> String {
    std::fs::read_to_string(format!("tests/programs/lazy/{row}.c")).expect("a readable file")
}

/// CPU of each row, of the six together, and the bars.
fn times() {
    let question = Question { contract: 0, checks: vec![Check::Asserts] };
    let mut all = 0.0;
    for row in ROWS {
        let text = text_of(row);
        let ms = own::cpu_ms(10, || {
            let outcome = run_columns(&program(&text), &question, &Setup::default(), Columns::BOTH, &|_| {});
            assert_eq!(outcome.verdict.word(), "verified");
        });
        println!("{row:<13} {ms:>7.2} ms of CPU, bar 200");
        all += ms;
    }
    println!("all six       {all:>7.2} ms of CPU, bar 500");
}

fn rows() {
    let both = Columns::BOTH;
    let modes = [
        ("cores", both),
        ("interpolants", Columns { refiner: Refiner::Interpolants, ..both }),
        ("breadth first", Columns { depth_first: false, ..both }),
        ("from the root", Columns::FROM_ROOT),
        ("newest from root", Columns { from_root: true, ..both }),
        ("joins", Columns::JOINS),
        ("local", Columns { local: true, ..both }),
        ("local from root", Columns { local: true, ..Columns::FROM_ROOT }),
    ];
    for row in ROWS {
        let p = program(&text_of(row));
        for (name, mode) in modes {
            let (time, refinements, nodes, verdict) = measure(&p, mode);
            println!(
                "{row:<13} {name:<16} {verdict:<9} {refinements:>3} refinements {nodes:>6} nodes {:>9.3} ms",
                time * 1e3
            );
        }
    }
}

fn series(name: &str, sizes: &[usize], make: fn(usize) -> String) {
    let mut points = Vec::new();
    for &k in sizes {
        let (time, refinements, nodes, verdict) = measure(&program(&make(k)), Columns::BOTH);
        println!(
            "{name:<9} {k:>2} {verdict:<9} {refinements:>3} refinements {nodes:>6} nodes {:>9.3} ms",
            time * 1e3
        );
        points.push(((k as f64).ln(), time.ln()));
    }
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (sxx, sxy) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x * x, b + x * y));
    println!("{name:<9} exponent {:.2}", (n * sxy - sx * sy) / (n * sxx - sx * sx));
}

fn main() {
    times();
    rows();
    series("flags", &[1, 2, 3, 4], flags);
    series("segments", &[1, 2, 3, 4], segments);
    series("loops", &[1, 2, 4, 8], loops);
}
