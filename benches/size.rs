//! How does the time of `verify` grow with the size of one function, and with the number of functions?
//!
//! `cargo bench --bench size`: per family the milliseconds at each size and the exponent between the first and the last
//! (1 is linear). Times are of reading, lowering and deciding together, the best of three.

use catena::analysis::Setup;
use catena::frontend::c;
use catena::portfolio::{self, Engine, Task};
use catena::program::{Check, Question};
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

const PUSH: &str = "{ struct n *t = malloc(sizeof *t); t->d = 0; t->nx = a; a = t; }";
const FREE: &str = "  while (a) { struct n *t = a->nx; free(a); a = t; }\n";

/// A `main` with these lines.
fn whole(body: &str) -> String {
    format!("#include <stdlib.h>\n{HEAD}int main(void)\n{{\n{body}  return 0;\n}}\n")
}

/// Lists that have nothing to do with each other.
fn lists(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(body, "  struct n *a{i} = NULL;");
    }
    for i in 0..n {
        let push = PUSH.replace("= a;", &format!("= a{i};")).replace(" a = t;", &format!(" a{i} = t;"));
        let _ = writeln!(body, "  while (__VERIFIER_nondet_int()) {push}");
    }
    for i in 0..n {
        let free = FREE.replace("(a)", &format!("(a{i})")).replace("a->", &format!("a{i}->"));
        body.push_str(&free.replace(" a = t;", &format!(" a{i} = t;")));
    }
    whole(&body)
}

/// One list, built and freed again and again.
fn phases(n: usize) -> String {
    let phase = format!("  while (__VERIFIER_nondet_int()) {PUSH}\n{FREE}");
    whole(&format!("  struct n *a = NULL;\n{}", phase.repeat(n)))
}

/// Conditions that are tested once each.
fn flags(n: usize) -> String {
    let mut body = "  struct n *a = NULL;\n".to_owned();
    for i in 0..n {
        let _ = writeln!(body, "  int f{i} = __VERIFIER_nondet_int();");
    }
    for i in 0..n {
        let _ = writeln!(body, "  if (f{i}) {PUSH}");
    }
    whole(&(body + FREE))
}

/// Loops inside of loops.
fn nested(n: usize) -> String {
    let (open, close) = ("  while (__VERIFIER_nondet_int()) {\n".repeat(n), "  }\n".repeat(n));
    whole(&format!("  struct n *a = NULL;\n{open}  {PUSH}\n{close}{FREE}"))
}

/// Calls of five functions.
fn calls(n: usize) -> String {
    let mut text = format!("#include <stdlib.h>\n{HEAD}");
    text.push_str(
        "static struct n *push(struct n *a) { struct n *t = malloc(sizeof *t); t->d = 0; t->nx = a; return t; }\n\
         static struct n *pop(struct n *a) { if (!a) return a; struct n *t = a->nx; free(a); return t; }\n\
         static int length(struct n *a) { int c = 0; while (a) { c++; a = a->nx; } return c; }\n\
         static struct n *reverse(struct n *a) {\n  struct n *r = NULL;\n\
         \x20 while (a) { struct n *t = a->nx; a->nx = r; r = a; a = t; }\n  return r;\n}\n\
         static void clear(struct n *a) { while (a) { struct n *t = a->nx; free(a); a = t; } }\n\
         int main(void)\n{\n  struct n *a = NULL;\n  int c = 0;\n  while (__VERIFIER_nondet_int()) a = push(a);\n",
    );
    for i in 0..n {
        let call = ["a = push(a);", "a = pop(a);", "c = length(a);", "a = reverse(a);"][i % 4];
        let _ = writeln!(text, "  {call}");
    }
    text + "  clear(a);\n  return c < 0;\n}\n"
}

/// Forty functions over lists and two hundred calls of them: one list for every four functions.
fn large(n: usize) -> String {
    let mut text = format!("#include <stdlib.h>\n{HEAD}");
    for i in 0..n {
        let body = match i % 4 {
            0 => "  struct n *t = malloc(sizeof *t);\n  t->d = 0;\n  t->nx = a;\n  return t;",
            1 => "  struct n *t;\n  if (!a)\n    return a;\n  t = a->nx;\n  free(a);\n  return t;",
            2 => {
                "  struct n *r = NULL;\n  while (a) {\n    struct n *t = a->nx;\n    a->nx = r;\n    r = a;\n    a = t;\n  }\n  return r;"
            }
            _ => {
                "  struct n *t = a;\n  while (t && t->nx)\n    t = t->nx;\n  if (t)\n    t->d = 1;\n  return a;"
            }
        };
        let _ = writeln!(text, "static struct n *f{i}(struct n *a)\n{{\n{body}\n}}\n");
    }
    let mut body = String::new();
    for l in 0..n.div_ceil(4) {
        let _ = writeln!(body, "  struct n *a{l} = NULL;");
    }
    for call in 0..5 * n {
        let function = call % n;
        let list = function / 4;
        let _ = writeln!(body, "  while (__VERIFIER_nondet_int())\n    a{list} = f{function}(a{list});");
    }
    for l in 0..n.div_ceil(4) {
        let _ = writeln!(body, "  while (a{l})\n    a{l} = f1(a{l});");
    }
    text + &whole(&body)[format!("#include <stdlib.h>\n{HEAD}").len()..]
}

const FAMILIES: [Family; 10] = [
    Family { name: "cases of a switch", sizes: [625, 1250, 2500, 5000], text: cases },
    Family { name: "branches over a list", sizes: [375, 750, 1500, 3000], text: branches },
    Family { name: "choices in main", sizes: [375, 750, 1500, 3000], text: choices },
    Family { name: "functions", sizes: [125, 250, 500, 1000], text: functions },
    Family { name: "independent lists", sizes: [8, 16, 32, 64], text: lists },
    Family { name: "phases", sizes: [8, 16, 32, 64], text: phases },
    Family { name: "flags", sizes: [8, 16, 32, 64], text: flags },
    Family { name: "nested loops", sizes: [8, 16, 32, 64], text: nested },
    Family { name: "calls", sizes: [8, 16, 32, 64], text: calls },
    Family { name: "functions and calls in main", sizes: [5, 10, 20, 40], text: large },
];

/// The time to read and decide everything, and the verdict of the last function.
fn decide(text: &str) -> (Duration, &'static str) {
    let start = Instant::now();
    let unit = c::load("size.c", text.as_bytes(), &c::Options::default());
    let mut word = "nothing";
    for function in &unit.functions {
        let program = function.program.as_ref().expect("supported");
        let mut question = Question::of_contract(0);
        if function.name == "main" {
            question.checks.push(Check::Leaks);
        }
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let setup = Setup { limits, ..Setup::default() };
        let task = Task { program, inlined: None, question: &question, property: None, aside: None };
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
