//! Random C programs about bytes: unions, bit-fields, arrays inside structs and of structs, pointer arithmetic, casts to and
//! from the first member, `container_of`, `void *`, pointers to functions, strings, blocks that grow, numbers with a
//! fraction.
//!
//! Like [`cprograms`](super::cprograms): a function without parameters that returns a number from 0 to 98, the same
//! executed here and compiled. Everything that is read was written before.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
struct link { struct link *next, *prev; };
union word { unsigned u; unsigned char b[4]; short h[2]; };
struct cell { int key; struct link l; char name[6]; union word w; unsigned f : 3, g : 5; int h : 4; struct { int x, y; } at[2]; };
struct any { void *data; int (*measure)(const void *); struct any *next; };
static int of_int(const void *p) { return *(const int *)p; }
static int of_text(const void *p) { return (int)strlen((const char *)p); }
static int of_cell(const void *p) { return ((const struct cell *)p)->key; }
static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
static int apply(int (*f)(int), int x) { return f(x % 50); }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static struct cell *make(struct link *at, int key) {
  struct cell *c = malloc(sizeof *c);
  memset(c, 0, sizeof *c);
  c->key = key % 50; strcpy(c->name, \"ab\");
  c->l.next = at->next; c->l.prev = at; at->next->prev = &c->l; at->next = &c->l;
  return c;
}
";

/// A function of that name.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), faulty, out: String::new(), depth: 1 };
    let _ = writeln!(g.out, "int {name}(void) {{");
    for line in DECLARATIONS {
        g.line(line);
    }
    for _ in 0..8 + g.rng.below(18) {
        g.statement();
    }
    for line in DIGEST {
        g.line(line);
    }
    g.out.push_str("}\n");
    g.out
}

const DECLARATIONS: &[&str] = &[
    "int i = 0, a = 3, b = 5, arr[6] = { 4, 1, 3, 2, 9, 7 }, grid[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };",
    "int *p = arr + 1, *end = arr + 6; int (*row)[3] = grid; char text[12] = \"hello\"; char *s = text;",
    "struct link head = { &head, &head }; struct cell one, pair[2]; struct cell *c = &one; union word w; struct any *list = NULL;",
    "int (*f)(int) = twice; unsigned char *bytes = (unsigned char *)&w; int n = 4, *block = malloc(n * sizeof *block); double d = 1.5;",
    "memset(&one, 0, sizeof one); memset(pair, 0, sizeof pair); w.u = 77; for (i = 0; i < n; i++) block[i] = i * i;",
    "long double_used = 0; void *v = &a; short *hp = w.h;",
];

const DIGEST: &[&str] = &[
    "unsigned r = (unsigned)a + 3u * (unsigned)b + (unsigned)strlen(text) + w.u + (unsigned)(end - p) + (unsigned)n;",
    "for (i = 0; i < 6; i++) r = r * 5u + (unsigned)arr[i];",
    "for (i = 0; i < n; i++) r = r * 3u + (unsigned)block[i];",
    "for (struct link *q = head.next; q != &head; q = q->next) r = r * 7u + (unsigned)container_of(q, struct cell, l)->key;",
    "for (struct any *x = list; x; x = x->next) r = r * 11u + (unsigned)x->measure(x->data);",
    "r += c->f + 2u * c->g + (unsigned)c->h + (unsigned)c->at[1].x + c->w.b[1] + (unsigned)pair[1].at[0].y + (unsigned)grid[1][2];",
    "r += (unsigned)f(3) + (unsigned)(d * 4.0) + (unsigned)*(int *)v + (unsigned)double_used + (unsigned)*s + (unsigned)hp[1];",
    "return (int)(r % 99u);",
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

    fn number(&mut self) -> &'static str {
        const NUMBERS: &[&str] = &[
            "a",
            "b",
            "arr[2]",
            "*p",
            "p[0]",
            "grid[1][1]",
            "(*row)[2]",
            "row[1][0]",
            "c->key",
            "(int)c->f",
            "c->h",
            "(int)w.b[0]",
            "pair[0].key",
            "c->at[1].x",
            "(int)bytes[1]",
            "block[1]",
            "(int)strlen(s)",
            "f(a % 40)",
            "(int)d",
            "*(int *)v",
            "text[1]",
            "(int)sizeof(struct cell)",
            "(int)offsetof(struct cell, w)",
            "2[arr]",
            "(int)hp[0]",
        ];
        self.pick(NUMBERS)
    }

    /// An index that is right, or in a faulty program sometimes wrong.
    fn index(&mut self, count: usize) -> String {
        if self.faulty && self.rng.one_in(8) {
            return format!("{}", count + self.rng.below(3));
        }
        let k = self.rng.below(count);
        match self.rng.below(3) {
            0 => format!("(unsigned)({} * 7) % {count}u", self.number()),
            _ => k.to_string(),
        }
    }

    fn statement(&mut self) {
        let x = self.number();
        let y = self.number();
        let text = match self.rng.below(if self.depth > 2 { 30 } else { 32 }) {
            0 => format!("a = ({x} + {y}) % 100;"),
            1 => format!("b = ({x} ^ {y}) & 63;"),
            2 => format!("arr[{}] = {x} % 100;", self.index(6)),
            // Addresses are computed inside of objects: beyond them only an access is a failure here.
            3 => format!("p = arr + {};", self.rng.below(6)),
            4 => format!("p = &arr[{}];", self.rng.below(6)),
            5 => "if (p + 1 < end) p++;".to_owned(),
            6 => "if (p > arr) --p;".to_owned(),
            7 => format!("for (int *q = arr; q != end; q++) *q = (*q + {x} % 10) % 100;"),
            8 => format!("w.u = (unsigned)({x} % 100) * 257u + 1u;"),
            9 => format!("w.b[{}] = (unsigned char){x};", self.index(4)),
            10 => format!("bytes[{}] ^= 0x2a;", self.index(4)),
            11 => format!("c->f = (unsigned){x}; c->g += 3; c->h = {y};"),
            12 => format!("c = {};", self.pick(&["&one", "&pair[0]", "pair + 1", "&pair[1]"])),
            // Compilers do not look at the bounds of an array at the end of a struct.
            13 => format!("c->at[{}].x = {x} % 100;", self.rng.below(2)),
            14 => format!("grid[{}][{}] = {x} % 100;", self.index(2), self.index(3)),
            15 => "row = grid + 1; row--;".to_owned(),
            16 => "{ struct cell t = pair[0]; pair[0] = pair[1]; pair[1] = t; }".to_owned(),
            17 => format!("make(&head, {x} & 31);"),
            18 => self.unlink(),
            19 => format!(
                "f = {}; a = apply(f, {x} & 15) % 100;",
                self.pick(&["twice", "next", "&twice", "*next"])
            ),
            20 => self.grow(),
            21 => format!("strcpy(text, {});", self.pick(&["\"\"", "\"abc\"", "\"hello you\"", "c->name"])),
            22 => format!("if (strlen(text) < 5) strcat(text, {});", self.pick(&["\"x\"", "\"yz\"", "\"\""])),
            23 => format!("s = strchr(text, {}); if (!s) s = text;", self.pick(&["'l'", "'e'", "0", "'q'"])),
            24 => "qsort(arr, 6, sizeof arr[0], by_value);".to_owned(),
            25 => self.any(x),
            26 => format!(
                "memcpy({}, arr + {}, 2 * sizeof(int));",
                self.pick(&["block", "grid[1]", "block + 1"]),
                self.rng.below(5)
            ),
            27 => format!("d = d * 0.5 + {x} % 8; double_used += d > 3.0;"),
            28 => format!(
                "v = {}; a = (a + *(int *)v) % 100;",
                self.pick(&["&a", "p", "&arr[3]", "&c->key", "c", "&grid[1][0]"])
            ),
            29 => format!(
                "memset({}, {}, {});",
                self.pick(&["arr", "grid", "block"]),
                self.rng.below(3),
                4 * (1 + self.rng.below(4))
            ),
            30 => format!("for (i = 0; i < 3; i++) {{ a = (a + {x}) % 50;"),
            _ => format!("if ({x} < {y}) {{"),
        };
        let opens = text.ends_with('{') || text.starts_with("for (i = 0; i < 3");
        self.line(&text);
        if opens {
            self.depth += 1;
            for _ in 0..1 + self.rng.below(3) {
                self.statement();
            }
            self.depth -= 1;
            self.line("}");
        }
    }

    fn unlink(&mut self) -> String {
        let guard = if self.faulty && self.rng.one_in(3) { "1" } else { "head.next != &head" };
        format!(
            "if ({guard}) {{ struct link *q = head.next; q->prev->next = q->next; q->next->prev = q->prev; free(container_of(q, struct cell, l)); }}"
        )
    }

    fn grow(&mut self) -> String {
        let last = if self.faulty && self.rng.one_in(3) { "n" } else { "n - 1" };
        format!(
            "if (n < 12) {{ n += 2; block = realloc(block, n * sizeof(int)); block[n - 2] = n; block[{last}] = 1; }}"
        )
    }

    fn any(&mut self, x: &str) -> String {
        let (data, measure) = match self.rng.below(3) {
            0 => ("&arr[1]", "of_int"),
            1 => ("text", "of_text"),
            _ => ("c", "of_cell"),
        };
        let twist = if self.faulty && self.rng.one_in(6) { "free(n0);" } else { "" };
        format!(
            "{{ struct any *n0 = malloc(sizeof *n0); n0->data = {data}; n0->measure = {measure}; n0->next = {x} % 2 ? list : NULL; list = n0; {twist} }}"
        )
    }
}
