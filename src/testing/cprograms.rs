//! Random C programs without input, to be run by the interpreter and, compiled, by the machine.
//!
//! All variables are initialised, loops are bounded, values stay small. A *safe* program guards every access; a
//! *faulty* one leaves out guards and frees cells, so that it may end in a memory error or a division by zero.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "\
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *next; struct node *other; };
static void set(struct node **place, struct node *value) { *place = value; }
static int bump(int *number) { static int calls; calls = (calls + 1) % 7; *number += 1; return *number % 100 + calls; }
";

/// A function without parameters that returns a number from 0 to 199.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), faulty, out: String::new(), loops: 0, depth: 1 };
    let _ = writeln!(g.out, "int {name}(void) {{");
    g.line("int a = 1, b = 2, c = 3; unsigned u = 5; int arr[4] = {1, 2, 3, 4};");
    g.line("unsigned char uc = 7; signed char sc = 3; unsigned short us = 9; long l = 11;");
    g.line("struct node *p = NULL, *q = NULL, *r = NULL, *h = NULL;");
    g.line("struct node s = {4, NULL, NULL}, t = {.key = 5}; struct node **pp = &h;");
    for _ in 0..4 + g.rng.below(10) {
        g.statement();
    }
    g.line("int steps = 0;");
    g.line("while (h && steps < 8) { c = (c * 3 + h->key) % 97; h = h->next; steps++; }");
    g.line("b = (b + uc + sc * 3 + us % 50 + (int)(l % 50) + s.key + t.key + (*pp == q)) % 1000;");
    g.line("a = (a * 31 + b * 17 + c * 5 + (int)(u % 50) + arr[0] + arr[3]) % 200;");
    g.line("return (a + 200) % 200;");
    g.out.push_str("}\n");
    g.out
}

struct Generator {
    rng: Rng,
    faulty: bool,
    out: String,
    loops: usize,
    depth: usize,
}

const INTS: [&str; 3] = ["a", "b", "c"];
const POINTERS: [&str; 4] = ["p", "q", "r", "h"];

/// A variable other than this one: assigning to one twice in an expression is not C.
fn another(x: &str) -> &'static str {
    if x == INTS[0] { INTS[1] } else { INTS[0] }
}

impl Generator {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn int(&mut self) -> &'static str {
        INTS[self.rng.below(INTS.len())]
    }

    fn pointer(&mut self) -> &'static str {
        POINTERS[self.rng.below(POINTERS.len())]
    }

    fn link(&mut self) -> &'static str {
        ["next", "other"][self.rng.below(2)]
    }

    /// Whether a guard is left out.
    fn careless(&mut self) -> bool {
        self.faulty && self.rng.one_in(3)
    }

    /// A small value; `%` keeps every intermediate result far from overflow.
    fn expr(&mut self) -> String {
        let (x, y) = (self.int(), self.int());
        let n = self.rng.below(9) + 1;
        match self.rng.below(13) {
            0 => n.to_string(),
            1 => x.to_owned(),
            2 => format!("({x} + {y}) % 1000"),
            3 => format!("({x} - {n}) % 1000"),
            4 => format!("({x} * {y}) % 1000"),
            5 => format!("{x} / {n}"),
            6 => format!("-{x} % {n}"),
            7 => format!("({x} & {n}) | ({y} & 12)"),
            8 => format!("({x} & 31) << {}", n % 4),
            9 => format!("({x} ^ {y}) >> {}", n % 3),
            10 => format!("{} ? {x} : {n}", self.cond()),
            11 if self.careless() => format!("{x} / ({y} % {n})"),
            11 => format!("(int)(u % {n}u)"),
            _ => format!("!({x} > {n}) + ({x} == {y})"),
        }
    }

    fn cond(&mut self) -> String {
        let (x, y, p, q) = (self.int(), self.int(), self.pointer(), self.pointer());
        let n = self.rng.below(9);
        match self.rng.below(9) {
            0 => format!("{x} < {y}"),
            1 => format!("{x} != {n}"),
            2 => format!("{p} == {q}"),
            3 => p.to_owned(),
            4 => format!("!{p}"),
            5 => format!("({p} && {p}->key > {n})"),
            6 => format!("({x} <= {n} || {p} != {q})"),
            7 if self.careless() => format!("{p}->key < {n}"),
            7 => format!("u > {n}u"),
            _ => format!("({p} != NULL && {p}->next == {q})"),
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let choices = if self.depth > 3 { 23 } else { 31 };
        let (x, p, q, f) = (self.int(), self.pointer(), self.pointer(), self.link());
        let guard = if self.careless() { String::new() } else { format!("if ({p}) ") };
        match self.rng.below(choices) {
            0 | 1 => {
                let e = self.expr();
                self.line(&format!("{x} = {e};"));
            }
            2 => self.line(&format!("{p} = {q};")),
            3 | 4 => {
                let e = self.expr();
                let other = self.pointer();
                self.line("{ struct node *n = malloc(sizeof(struct node));");
                self.line(&format!("  n->next = {q}; n->other = {other}; n->key = {e}; {p} = n; }}"));
            }
            5 => self.line(&format!("{guard}{q} = {p}->{f};")),
            6 => self.line(&format!("{guard}{p}->{f} = {q};")),
            7 => {
                let e = self.expr();
                self.line(&format!("{guard}{p}->key = {e};"));
            }
            8 => self.line(&format!("{guard}{x} = {p}->key % 50;")),
            9 => {
                let e = self.expr();
                let careless = self.careless();
                let index = if careless { format!("{x} % 6") } else { format!("({x} % 4 + 4) % 4") };
                self.line(&format!("arr[{index}] = ({e}) % 100;"));
            }
            10 => {
                let (m, n) = (self.rng.below(9) + 1, self.rng.below(7));
                self.line(&format!("u = u * {m}u - {n}u;"));
            }
            11 if self.faulty => self.line(&format!("free({p});")),
            11 => self.line(&format!("{x} = arr[({x} % 4 + 4) % 4]++;")),
            12 => self.line(&format!("uc = uc * 7 + {x}; us -= {x}; us += uc;")),
            13 => self.line(&format!("sc = (signed char)({x} * 37); l = (l * 5 + sc) % 1000000;")),
            14 => {
                let e = self.expr();
                self.line(&format!("s.key = ({e}) % 100; s.{f} = {p}; t = s;"));
            }
            15 => {
                let object = ["s", "t"][self.rng.below(2)];
                self.line(&format!("{p} = &{object};"));
            }
            16 => self.line(&format!("if ({p}) pp = &{p}->{f};")),
            17 => self.line(&format!("pp = &{p};")),
            18 => self.line(&format!("*pp = {q};")),
            19 => {
                let y = another(x);
                self.line(&format!("set(&{p}, {q}); {x} = bump(&{y}); {y} %= 1000;"));
            }
            20 => self.line(&format!("{guard}memset({p}, 0, sizeof *{p});")),
            21 => {
                let y = self.int();
                self.line(&format!("{x} += {y}, {y} -= 2; {x} %= 1000; {y} %= 1000;"));
            }
            22 => {
                let y = another(x);
                self.line(&format!("{x} = {y} = ({x} + 3) % 500; uc = sc = {y};"));
            }
            23 => {
                let label = format!("out{}", self.loops);
                self.loops += 1;
                let c = self.cond();
                self.line(&format!("{{ if ({c}) goto {label};"));
                self.block();
                self.line(&format!("{label}: ; }}"));
            }
            24 | 25 => {
                let c = self.cond();
                self.line(&format!("if ({c}) {{"));
                self.block();
                if self.rng.one_in(2) {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            26 | 27 => {
                let i = format!("i{}", self.loops);
                self.loops += 1;
                let n = self.rng.below(5) + 1;
                self.line(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"));
                self.block();
                if self.rng.one_in(3) {
                    let word = ["break", "continue"][self.rng.below(2)];
                    let c = self.cond();
                    self.line(&format!("  if ({c}) {word};"));
                    self.block();
                }
                self.line("}");
            }
            28 => {
                let k = format!("k{}", self.loops);
                self.loops += 1;
                self.line(&format!("int {k} = 0;"));
                self.line(&format!(
                    "while ({p} && {k} < 6) {{ {p} = {p}->{f}; {k}++; {x} = ({x} + {k}) % 100; }}"
                ));
            }
            29 => {
                self.line(&format!("switch ({x} % 3) {{"));
                self.line("case 0: {");
                self.block();
                self.line("} break;");
                self.line("case 1: {");
                self.block();
                self.line("}");
                self.line("default: {");
                self.block();
                self.line("}");
                self.line("}");
            }
            _ => {
                let d = format!("d{}", self.loops);
                self.loops += 1;
                self.line(&format!("int {d} = 0;"));
                self.line("do {");
                self.block();
                let c = self.cond();
                self.line(&format!("}} while (++{d} < 3 && {c});"));
            }
        }
    }
}
