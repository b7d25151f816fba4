//! Random C programs about arrays inside objects, of structs and of arrays, bit-fields, blocks of numbers, texts, pointers that
//! move and numbers with a fraction: what module `plain` of the front end says with cells.
//!
//! Like [`cprograms`](super::cprograms): a function without parameters that returns a number from 0 to 98, the same as
//! cells, as bytes and compiled. Cells do not keep what a block holds, so no result depends on that; they keep how long a text
//! is and where an access leads.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct cell { int key; unsigned f : 3, g : 1; int h : 4; struct cell *kids[3]; int row[4]; char name[8]; double w; };
struct item { int id; struct item *next; };
struct shelf { struct item items[3]; int n; };
static struct item pool[3];
static struct cell *make(int key) {
  struct cell *c = malloc(sizeof *c);
  memset(c, 0, sizeof *c);
  c->key = key % 50; strcpy(c->name, \"ab\"); c->w = 0.5;
  return c;
}
static int total(const int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
";

/// A function of that name.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), faulty, out: String::new(), depth: 1 };
    let _ = writeln!(g.out, "int {name}(void) {{");
    for line in DECLARATIONS {
        g.line(line);
    }
    for _ in 0..6 + g.rng.below(16) {
        g.statement();
    }
    g.line(
        "for (i = 0; i < 4; i++) a = (a * 3 + one.row[i] + grid[i % 2][i % 3] + shelf.items[i % 3].id) % 97;",
    );
    g.line("for (i = 0; i < 3; i++) a = (a + (c->kids[i] ? c->kids[i]->key : 1) + pool[i].id + (it == &pool[i])) % 97;");
    g.line("a = (a + one.f + one.g + one.h + 8 + c->f + (int)strlen(c->name) + (int)strlen(text) + (s ? 1 : 0)) % 97;");
    g.line("return (a + 97) % 97;");
    g.out.push_str("}\n");
    g.out
}

const DECLARATIONS: &[&str] = &[
    "int i = 0, a = 3, b = 5, x = 0, grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, n = 4; double d = 1.5;",
    "struct cell one; memset(&one, 0, sizeof one); struct cell *c = make(7); struct shelf shelf; memset(&shelf, 0, sizeof shelf);",
    "char text[12] = \"hello\"; char *s = NULL; struct item *it = &pool[1]; int *block = malloc(n * sizeof *block), *p = block;",
    "for (i = 0; i < n; i++) block[i] = i; for (i = 0; i < 3; i++) { pool[i].id = i; pool[i].next = i < 2 ? &pool[i + 1] : NULL; }",
];

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

    /// An index below a length, now and then one that is not.
    fn index(&mut self, length: usize) -> String {
        if self.faulty && self.rng.one_in(9) {
            return self.pick(&["b % 9", "a % 7 - 2", "n"]).to_owned();
        }
        match self.rng.below(3) {
            0 => self.rng.below(length).to_string(),
            1 => format!("(unsigned)(a + {}) % {length}", self.rng.below(5)),
            _ => format!("(unsigned)b % {length}"),
        }
    }

    fn guard(&mut self, test: &str) -> String {
        if self.faulty && self.rng.one_in(6) { String::new() } else { format!("if ({test}) ") }
    }

    fn number(&mut self) -> String {
        match self.rng.below(7) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => format!("one.row[{}]", self.index(4)),
            3 => format!("grid[{}][{}]", self.index(2), self.index(3)),
            4 => format!("shelf.items[{}].id", self.index(3)),
            5 => "one.f".to_owned(),
            _ => "(int)strlen(text)".to_owned(),
        }
    }

    fn statement(&mut self) {
        match self.rng.below(if self.depth > 2 { 24 } else { 27 }) {
            k @ 0..7 => self.elements(k),
            k @ 7..13 => self.structs(k),
            k @ 13..19 => self.texts(k),
            k @ 19..24 => self.blocks(k),
            24 => {
                let to = self.pick(&["3", "2", "(unsigned)b % 4"]);
                self.line(&format!("for (int j = 0; j < {to}; j++) {{"));
                self.block();
            }
            _ => {
                let test =
                    self.pick(&["a < b", "s", "c->kids[1] == c", "one.g", "it == &pool[2]", "p < block + n"]);
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

    fn elements(&mut self, k: usize) {
        let x = self.number();
        let text = match k {
            0 => format!("{} = ({x} * 3 + 1) % 60;", self.pick(&["a", "b"])),
            1 => format!("one.row[{}] = {x} % 50;", self.index(4)),
            2 => format!("grid[{}][{}] += 2;", self.index(2), self.index(3)),
            3 => format!("one.f = {x}; one.g ^= 1; one.h = {x} % 8; one.f++;"),
            4 => format!("c->f = {x}; c->row[{}]++;", self.index(4)),
            5 => format!("{{ int t = one.row[{}]; one.row[0] = t; }}", self.index(4)),
            _ => format!("d = d * 2 + {x}; c->w = d; one.w = c->w;"),
        };
        self.line(&text);
    }

    fn structs(&mut self, k: usize) {
        let x = self.number();
        let text = match k {
            7 => format!("c->kids[{}] = {};", self.index(3), self.pick(&["NULL", "c", "make(4)", "&one"])),
            8 => format!("shelf.items[{}].id = {x} % 40; shelf.n++;", self.index(3)),
            9 => format!("it = &pool[{}]; it->id = {x} % 30;", self.index(3)),
            10 => {
                let guard = self.guard("it->next");
                format!("{guard}it = it->next;")
            }
            11 => format!("pool[{}] = pool[{}];", self.index(3), self.index(3)),
            _ => {
                let (at, guard) = (self.rng.below(3), self.rng.below(3));
                let test = self.guard(&format!("c->kids[{at}]"));
                format!(
                    "{test}{{ c->kids[{at}]->key = {x} % 20; one = *c->kids[{at}]; b = (b + {guard}) % 50; }}"
                )
            }
        };
        self.line(&text);
    }

    fn texts(&mut self, k: usize) {
        let literal = self.pick(&["\"\"", "\"xy\"", "\"seven77\"", "\"a longer text\""]);
        let guard = if self.faulty && self.rng.one_in(5) {
            String::new()
        } else {
            format!("if (strlen({literal}) < sizeof one.name) ")
        };
        let text = match k {
            13 => format!("{guard}strcpy(c->name, {literal});"),
            14 => {
                let fits = self.guard("strlen(text) + 3 < sizeof text");
                format!("{fits}strcat(text, \"uv\");")
            }
            15 => format!(
                "free(s); s = strdup({}); b = (b + (int)strlen(s)) % 50;",
                self.pick(&["text", "c->name"])
            ),
            16 => {
                let test = self.guard("s");
                format!("{test}b = (int)strlen(s) % 30;")
            }
            17 => "free(s); s = malloc(strlen(text) + 1); strcpy(s, text);".to_owned(),
            _ => {
                // One less than there is room for, or as much.
                let less = if self.faulty && self.rng.one_in(3) { "" } else { " + 1" };
                format!("{{ char *t = malloc(strlen(c->name){less}); strcpy(t, c->name); free(t); }}")
            }
        };
        self.line(&text);
    }

    fn blocks(&mut self, k: usize) {
        let index = self.index(4);
        let text = match k {
            19 => format!("block[{index}] = a;"),
            20 => "for (p = block; p < block + n; p++) x = *p;".to_owned(),
            21 => {
                let room = if self.faulty && self.rng.one_in(4) { "n - 1" } else { "n" };
                format!("{{ int *t = malloc({room} * sizeof(int)); t[n - 1] = 1; t[0] = 2; free(t); }}")
            }
            22 => "p = block; *p++ = 3; *p = 4; b = (int)(p - block);".to_owned(),
            _ => {
                let keep = if self.faulty && self.rng.one_in(4) { "" } else { "block = t; p = block; " };
                format!(
                    "{{ int *t = realloc(block, 6 * sizeof(int)); t[5] = 1; {keep}block[2] = 5; x = total(block, 4); }}"
                )
            }
        };
        self.line(&text);
    }
}
