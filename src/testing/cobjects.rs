//! Random C programs about objects as wholes: structs inside structs and their addresses, `memset`, `memcpy`,
//! `realloc`, `alloca`, struct assignment, pointers to pointers to pointers, string literals.
//!
//! Like [`cprograms`](super::cprograms): a function without parameters that returns a number from 0 to 198, the same
//! in the interpreter and compiled. Everything that is read was written before; a safe program frees nothing that a pointer
//! still leads to.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
#include <string.h>
#include <alloca.h>
struct part { struct part *next; int v; };
struct whole { struct part first; int k; struct whole *link; struct part in; };
static int letter(const char *m) { return m ? *m : -1; }
static struct whole *fresh(int k) {
  struct whole *n = malloc(sizeof *n);
  memset(n, 0, sizeof *n);
  n->k = k % 100;
  return n;
}
static int own(int k) {
  struct part *s = alloca(sizeof(struct part));
  int *i = alloca(sizeof(int));
  s->v = k; s->next = NULL; *i = s->v + 1;
  return *i;
}
";

/// A function of that name.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), faulty, out: String::new(), depth: 1 };
    let _ = writeln!(g.out, "int {name}(void) {{");
    g.line("int a = 3, b = 5, arr[4] = { 1, 2, 3, 4 }, other[4] = { 9, 8, 7, 6 };");
    g.line("int *ip = &a, **ipp = &ip, ***ippp = &ipp;");
    g.line("const char *m = NULL; struct whole *p = NULL, *q = NULL; struct part *s = NULL, *t = NULL;");
    g.line("struct whole w; memset(&w, 0, sizeof w);");
    if g.rng.one_in(2) {
        g.line("s = alloca(sizeof *s); s->v = 6; s->next = NULL;");
    }
    for _ in 0..6 + g.rng.below(14) {
        g.statement();
    }
    g.digest();
    g.out.push_str("}\n");
    g.out
}

struct Generator {
    rng: Rng,
    faulty: bool,
    out: String,
    depth: usize,
}

impl Generator {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.rng.below(words.len())]
    }

    fn guard(&mut self, pointer: &str) -> String {
        if self.faulty && self.rng.one_in(6) { String::new() } else { format!("if ({pointer}) ") }
    }

    fn int(&mut self) -> &'static str {
        self.pick(&["a", "b", "*ip", "**ipp", "***ippp", "arr[1]", "other[2]", "w.k", "w.in.v", "letter(m)"])
    }

    fn statement(&mut self) {
        match self.rng.below(if self.depth > 2 { 24 } else { 27 }) {
            k @ 0..6 => self.numbers(k),
            k @ 6..12 => self.wholes(k),
            k @ 12..18 => self.parts(k),
            k @ 18..24 => self.memory(k),
            24 => {
                let x = self.int();
                self.line(&format!("for (int i = 0; i < 3 && {x} < 50; i++) {{"));
                self.block();
            }
            _ => {
                let test = self.pick(&["p == q", "s != t", "m", "a < b", "ip == &b", "p && p->link", "!s"]);
                self.line(&format!("if ({test}) {{"));
                self.block();
            }
        }
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..1 + self.rng.below(3) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn numbers(&mut self, k: usize) {
        let (x, n) = (self.int(), self.rng.below(9) + 1);
        let text = match k {
            0 => format!("{} = ({x} * {n} + 1) % 100;", self.pick(&["a", "b", "*ip", "**ipp", "***ippp"])),
            1 => format!("{} = {};", self.pick(&["ip", "*ipp", "**ippp"]), self.pick(&["&a", "&b"])),
            2 => format!("{{ int *n = malloc(sizeof(int)); *n = {x}; ip = n; }}"),
            3 => {
                let literal = self.pick(&["\"abc\"", "\"\"", "\"z\"", "a < b ? \"lo\" : \"hi\"", "NULL"]);
                format!("m = {literal};")
            }
            4 => format!("a = (letter(\"{}\") + {x}) % 100;", self.pick(&["x", "", "long text"])),
            _ => format!("b = own({x}) % 100;"),
        };
        self.line(&text);
    }

    fn wholes(&mut self, k: usize) {
        let (x, p) = (self.int(), self.pick(&["p", "q"]));
        let (q, guard) = (self.pick(&["p", "q"]), self.guard(p));
        let text = match k {
            6 | 7 => format!("{{ struct whole *n = fresh({x}); n->link = {q}; {p} = n; }}"),
            8 => format!("{guard}{q} = {p}->link;"),
            9 => format!("{guard}{p}->k = {x} % 100;"),
            10 => format!("{guard}{p}->in.v = {x} % 100;"),
            _ => format!("{guard}w = *{p};"),
        };
        self.line(&text);
    }

    fn parts(&mut self, k: usize) {
        let (x, p, s) = (self.int(), self.pick(&["p", "q"]), self.pick(&["s", "t"]));
        let t = self.pick(&["s", "t"]);
        let (around, guard) = (self.guard(p), self.guard(s));
        let member = self.pick(&["in", "first"]);
        let text = match k {
            // The access comes first: compiled, the address of a part of what was freed is no error by itself.
            12 | 13 => format!("{around}{{ {p}->k %= 100; {s} = &{p}->{member}; }}"),
            14 => format!("{s} = &w.{member};"),
            15 => format!("{guard}{{ {s}->v = {x} % 100; {s}->next = {t}; }}"),
            16 => format!("{guard}{s} = {s}->next;"),
            _ => format!("{guard}a = {s}->v % 100;"),
        };
        self.line(&text);
    }

    fn memory(&mut self, k: usize) {
        let (x, p, s) = (self.int(), self.pick(&["p", "q"]), self.pick(&["s", "t"]));
        let guard = self.guard(p);
        let text = match k {
            18 => format!(
                "memset({}, {}, sizeof arr);",
                self.pick(&["arr", "other"]),
                self.pick(&["0", "1", "0xff", "-2"])
            ),
            19 => "memcpy(arr, other, sizeof arr);".to_owned(),
            20 => format!(
                "{guard}{{ memcpy(&w, {p}, sizeof w); memset(&{p}->in, {}, sizeof(struct part)); }}",
                self.pick(&["0", "0"])
            ),
            21 => format!(
                "{{ struct whole *n = fresh({x}); n->link = {p}; n->in.v = 7; n = realloc(n, sizeof *n); {p} = n; }}"
            ),
            22 if self.faulty => {
                let whole = format!("{p} = realloc({p}, sizeof(struct whole)); memset({p}, 0, sizeof *{p});");
                let freed = format!("free({});", self.pick(&["p", "q", "s", "t", "ip"]));
                if self.rng.one_in(2) { whole } else { freed }
            }
            22 => format!("{{ struct part *n = malloc(sizeof *n); n->v = 2; n->next = {s}; {s} = n; }}"),
            _ => format!("{guard}{{ struct part *n = &{p}->in; n->v = ({x} + n->v) % 100; }}"),
        };
        self.line(&text);
    }

    /// Everything the function holds becomes one number.
    fn digest(&mut self) {
        self.line("unsigned acc = 17; int steps = 0;");
        self.line("for (; p && steps < 6; p = p->link, steps++)");
        self.line("  acc = acc * 31u + (unsigned)(p->k + p->in.v + 3 * p->first.v);");
        self.line("for (; s && steps < 12; s = s->next, steps++) acc = acc * 31u + (unsigned)s->v;");
        self.line("for (int j = 0; j < 4; j++) acc = acc * 31u + (unsigned)(arr[j] - other[j]);");
        for value in
            ["a", "b", "letter(m)", "w.k", "w.in.v", "w.first.v", "(ip == &a)", "(p == q)", "(s == t)"]
        {
            self.line(&format!("acc = acc * 31u + (unsigned)({value});"));
        }
        self.line("return (int)(acc % 199u);");
    }
}
