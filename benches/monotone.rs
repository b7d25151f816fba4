//! The rows of Table 1, CPU per row and of all seven in this one process; and how the engine `monotone` grows with
//! variables, link fields and statements, with the exponent of each.
//!
//! A copy chain (`x1 = x; x2 = x1; ...`) in front of a traversal adds variables, a sequence of traversals adds
//! statements, unused fields add colours. Time is the best of several runs.

#[path = "common/own.rs"]
mod own;

use catena::analysis::{Setup, monotone};
use catena::frontend::c;
use catena::program::{Check, Program, Question};
use catena::testing::words::{dll, ensures, list, now, program, requires};
use std::fmt::Write as _;
use std::time::Instant;

fn doubly_linked(body: &str) -> Program {
    let mut p = program(&["n", "p"], &["l"], body);
    let l = now(&p, "l");
    let shape = dll(&mut p, l);
    requires(&mut p, shape);
    let result = now(&p, "result");
    let shape = dll(&mut p, result);
    ensures(&mut p, shape);
    p
}

fn variables(n: usize) -> Program {
    let mut body = String::from("x0 = l;");
    for i in 1..n {
        let _ = write!(body, "x{i} = x{};", i - 1);
    }
    let _ = write!(body, "y = x{}; while y {{ y = y.n }}; return l", n - 1);
    doubly_linked(&body)
}

fn statements(n: usize) -> Program {
    let mut body = String::new();
    for _ in 0..n {
        body.push_str("t = new; t.n = l; t.p = null; if l { l.p = t }; l = t;");
    }
    body.push_str("return l");
    doubly_linked(&body)
}

fn fields(n: usize) -> Program {
    let names = ["n", "p", "q"];
    let mut p = program(&names[..n], &["l"], "x = l; while x { x = x.n }; return l");
    let l = now(&p, "l");
    requires(&mut p, list(l));
    let result = now(&p, "result");
    ensures(&mut p, list(result));
    p
}

fn measure(p: &Program) -> (f64, u64) {
    let checks = vec![Check::Memsafety, Check::Ensures];
    let question = Question { contract: 0, checks };
    let mut best = f64::MAX;
    let mut kept = 0;
    for _ in 0..5 {
        let start = Instant::now();
        let outcome = monotone::run(p, &question, &Setup::default(), &|_| {});
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(outcome.verdict.word(), "verified");
        kept = outcome.counters.signatures.unwrap_or(0);
    }
    (best, kept)
}

fn series(name: &str, sizes: &[usize], make: fn(usize) -> Program) {
    let mut points = Vec::new();
    for &n in sizes {
        let (time, kept) = measure(&make(n));
        println!("{name:<12} {n:>3} {:>10.3} ms {kept:>7} signatures", time * 1e3);
        points.push(((n as f64).ln(), time.ln()));
    }
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
    let (sxx, sxy) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x * x, b + x * y));
    println!("{name:<12} exponent {:.2}", (n * sxy - sx * sy) / (n * sxx - sx * sx));
}

const ROWS: [&str; 7] =
    ["traverse", "insert", "ordered_insert", "merge", "reverse", "tree_search", "tree_insert"];

/// CPU of each row, of the seven together, and the bars.
fn rows() {
    let checks = vec![Check::Memsafety, Check::Asserts, Check::Ensures, Check::Garbage];
    let question = Question { contract: 0, checks };
    let mut all = 0.0;
    for row in ROWS {
        let path = format!("tests/programs/monotone/{row}.c");
        let text = std::fs::read(&path).expect("a readable file");
        let ms = own::cpu_ms(20, || {
            let unit = c::load(&path, &text, &c::Options::default());
            let program = unit.functions[0].program.clone().expect("supported");
            let outcome = monotone::run(&program, &question, &Setup::default(), &|_| {});
            assert_eq!(outcome.verdict.word(), "verified");
        });
        println!("{row:<15} {ms:>7.2} ms of CPU, bar 20");
        all += ms;
    }
    println!("all seven       {all:>7.2} ms of CPU, bar 60");
}

fn main() {
    rows();
    series("variables", &[2, 4, 8, 16], variables);
    series("statements", &[1, 2, 3, 4], statements);
    series("fields", &[1, 2, 3], fields);
}
