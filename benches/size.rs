//! How does the time of `verify` grow with the size of one function, and with the number of functions?
//!
//! `cargo bench --bench size`: per family the milliseconds at each size and the exponent between the first and the last
//! (1 is linear). Times are of reading, lowering and deciding together, the best of three.

use catena::analysis::Setup;
use catena::frontend::c;
use catena::portfolio::{self, Engine, Task};
use catena::program::Question;
use catena::util::limits::Limits;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A family of programs by size.
struct Family {
    name: &'static str,
    sizes: [usize; 4],
    text: fn(usize) -> String,
}

const HEAD: &str = "struct n { int d; struct n *nx; };\nextern int __VERIFIER_nondet_int(void);\n";

fn cases(n: usize) -> String {
    let mut text = format!(
        "{HEAD}/*@ ensures 0 <= \\result && \\result <= 8; @*/\nint f(int x)\n{{\n  int r = 8;\n  switch (x) {{\n"
    );
    for i in 0..n {
        let _ = writeln!(text, "  case {i}: r = {}; break;", i % 7);
    }
    text + "  }\n  return r;\n}\n"
}

fn branches(n: usize) -> String {
    let body = "  if (t) t = t->nx;\n".repeat(n);
    format!("{HEAD}/*@ requires \\list(nx, t); @*/\nvoid f(struct n *t)\n{{\n{body}}}\n")
}

fn choices(n: usize) -> String {
    let body = "  if (__VERIFIER_nondet_int()) x = x + 1;\n".repeat(n);
    format!("{HEAD}int main(void)\n{{\n  int x = 0;\n{body}  return 0;\n}}\n")
}

fn functions(n: usize) -> String {
    let mut text = HEAD.to_owned();
    for i in 0..n {
        let _ = writeln!(
            text,
            "/*@ requires \\list(nx, t); ensures \\list(nx, \\result); @*/ struct n *f{i}(struct n *t) {{ if (t) t = t->nx; return t; }}"
        );
    }
    text
}

const FAMILIES: [Family; 4] = [
    Family { name: "cases of a switch", sizes: [625, 1250, 2500, 5000], text: cases },
    Family { name: "branches over a list", sizes: [375, 750, 1500, 3000], text: branches },
    Family { name: "choices in main", sizes: [375, 750, 1500, 3000], text: choices },
    Family { name: "functions", sizes: [125, 250, 500, 1000], text: functions },
];

/// The time to read and decide everything, and the verdict of the last function.
fn decide(text: &str) -> (Duration, &'static str) {
    let start = Instant::now();
    let unit = c::load("size.c", text.as_bytes(), &c::Options::default());
    let mut word = "nothing";
    for function in &unit.functions {
        let program = function.program.as_ref().expect("supported");
        let question = Question::of_contract(0);
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let task = Task { program, inlined: None, question: &question, property: None };
        word = portfolio::decide(Engine::Auto, &task, &setup, &|_| {}).outcome.verdict.word();
    }
    (start.elapsed(), word)
}

fn main() {
    // Formulas are walked recursively.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        for family in &FAMILIES {
            let mut line = format!("{:22}", family.name);
            let mut times = Vec::new();
            for size in family.sizes {
                let text = (family.text)(size);
                let runs: Vec<_> = (0..3).map(|_| decide(&text)).collect();
                let (time, word) = runs.into_iter().min().expect("three runs");
                times.push(time.as_secs_f64());
                let _ = write!(line, "  {size}: {:.0} ms {word}", time.as_secs_f64() * 1e3);
            }
            let growth = (family.sizes[3] as f64 / family.sizes[0] as f64).ln();
            println!("{line}  exponent {:.2}", (times[3] / times[0]).ln() / growth);
        }
    });
    thread.expect("a thread").join().expect("no panic");
}
