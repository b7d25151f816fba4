//! Random C programs of several functions over all kinds of integers, nested structs, lists, arrays and globals.
//!
//! Like [`cprograms`](super::cprograms), with a wider vocabulary: enumerations, struct assignment, compound
//! assignment, conversions between integer types, unsigned arithmetic that wraps, short circuits, `switch` with
//! fall-through, `goto`, calls with out-parameters, static locals, rings of doubly linked cells. Signed values are
//! reduced after every step, so that nothing overflows.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
typedef enum color { RED, GREEN = 5, BLUE } color_t;
typedef struct pair { int a; unsigned char b; } pair_t;
struct item { struct item *link; pair_t in; long big; short small; color_t tint; };
typedef struct item *item_p;
struct dl { struct dl *next, *prev; int val; };
static int clip(long v) { return (int)(v % 1000); }
static unsigned mix(unsigned h, int v) { return h * 31u + (unsigned)v; }
";

/// A unit whose function `NAME_run`, without parameters, returns a number from 0 to 198.
#[must_use]
pub fn unit(seed: u64, name: &str, faulty: bool) -> String {
    let (rng, out) = (Rng::new(seed), String::new());
    let mut g = Generator { rng, name: name.to_owned(), faulty, out, depth: 0, numbers: 0, inside: false };
    g.helpers();
    g.line(&format!("static int {name}_f(int a, int b) {{"));
    g.depth = 1;
    g.inside = true;
    g.locals();
    for _ in 0..1 + g.rng.below(3) {
        g.statement();
    }
    if g.rng.one_in(2) {
        let (c, e) = (g.cond(), g.expr(0));
        g.line(&format!("if ({c}) return ({e}) % 1000;"));
    }
    g.line("h = p;");
    g.digest();
    g.line("return (int)(acc % 500u) - 250;");
    g.depth = 0;
    g.line("}");
    g.inside = false;
    g.line(&format!("static int {name}_run(void) {{"));
    g.depth = 1;
    g.line("int a = 1, b = 2;");
    g.locals();
    for _ in 0..4 + g.rng.below(10) {
        g.statement();
    }
    if g.rng.one_in(3) {
        g.ring();
    }
    g.digest();
    g.line("return (int)(acc % 199u);");
    g.depth = 0;
    g.line("}");
    g.out
}

struct Generator {
    rng: Rng,
    name: String,
    faulty: bool,
    out: String,
    depth: usize,
    numbers: usize,
    /// In the function that is called, which calls no others.
    inside: bool,
}

impl Generator {
    fn line(&mut self, text: &str) {
        let indent = "  ".repeat(self.depth);
        let _ = writeln!(self.out, "{indent}{text}");
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.rng.below(words.len())]
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.numbers += 1;
        format!("{prefix}{}", self.numbers)
    }

    /// An integer that is read.
    fn int(&mut self) -> String {
        let global = format!("{}_g", self.name);
        self.pick(&["a", "b", "c", &global, "(int)sh", "(int)uc", "sc", "pr.a", "pr.b"]).to_owned()
    }

    /// An `int` that is written; its value stays within 1000 of 0.
    fn target(&mut self) -> String {
        // A function that is called in expressions changes nothing outside: C leaves their order open.
        let global = if self.inside { "c".to_owned() } else { format!("{}_g", self.name) };
        self.pick(&["a", "b", "c", &global]).to_owned()
    }

    fn pointer(&mut self) -> &'static str {
        self.pick(&["p", "q", "h"])
    }

    fn guard(&mut self, p: &str) -> String {
        if self.faulty && self.rng.one_in(4) { String::new() } else { format!("if ({p}) ") }
    }

    fn index(&mut self) -> String {
        let x = self.int();
        if self.faulty && self.rng.one_in(8) {
            return format!("({x} % 7)");
        }
        match self.rng.below(4) {
            0 => format!("(unsigned){x} % 5u"),
            1 => format!("({x} % 5 + 5) % 5"),
            2 => self.rng.below(5).to_string(),
            _ => format!("{x} & 3"),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        if depth < 2 && self.rng.one_in(3) {
            let (e, f) = (self.expr(depth + 1), self.expr(depth + 1));
            let op = self.pick(&["+", "-", "*", "^", "&", "|"]);
            return format!("(({e}) {op} ({f})) % 1000");
        }
        let (x, y, n) = (self.int(), self.int(), self.rng.below(9) + 1);
        match self.rng.below(24) {
            0 => n.to_string(),
            1 => x,
            2 => format!("{x} / {n}"),
            3 => format!("{x} % {n}"),
            4 => format!("-{x} / {n}"),
            5 => format!("-({x}) % {n}"),
            6 => format!("({x} & 31) << {}", n % 5),
            7 => format!("({x}) >> {}", n % 4),
            8 => format!("~{x} % 1000"),
            9 => format!("!{x}"),
            10 => format!("({} ? {x} : {y})", self.cond()),
            11 => format!("(int)(u % {}u)", n * 7),
            12 => format!("(int)(unsigned char)({x})"),
            13 => format!("(int)(signed char)({x} * 3)"),
            14 => "(int)(short)(u)".to_owned(),
            15 => format!("(int)(unsigned short)({x}) % 1000"),
            16 => "clip(l)".to_owned(),
            17 => format!("clip((long){x} * {y})"),
            18 => format!("({x} < {y}) + ({x} == {n})"),
            19 => {
                let what = ["int", "long", "struct item", "pair_t", "char", "short", "a", "arr", "item_p"];
                format!("(int)sizeof({})", self.pick(&what))
            }
            20 | 21 => format!("arr[{}]", self.index()),
            22 => format!("(int){}", self.pick(&["RED", "GREEN", "BLUE", "col"])),
            _ => format!("(int)(ul >> {}) % 1000", 20 + self.rng.below(40)),
        }
    }

    fn cond(&mut self) -> String {
        let (x, y, p, q) = (self.int(), self.int(), self.pointer(), self.pointer());
        let n = self.rng.below(9);
        match self.rng.below(19) {
            0 => format!("{x} < {y}"),
            1 => format!("{x} != {n}"),
            2 => format!("{p} == {q}"),
            3 => p.to_owned(),
            4 => format!("!{p}"),
            5 => format!("({p} && {p}->in.a > {n})"),
            6 => format!("({x} <= {n} || {p} != {q})"),
            7 => format!("u > {n}u"),
            8 => format!("({p} != NULL && {p}->link == {q})"),
            9 => format!("u < (unsigned){x}"),
            10 => format!("{x} < u"),
            11 => "uc > sc".to_owned(),
            12 => format!("l < {x}"),
            13 => "col == GREEN".to_owned(),
            14 => format!("({x} > 0 && {y} / {x} < 3)"),
            15 => format!("!({x} & 1) ^ ({y} > {n})"),
            16 => format!("ul > (unsigned long){x}"),
            17 => "sh == uc".to_owned(),
            _ => format!("{x} >= {y}"),
        }
    }

    /// A condition of a statement, sometimes with effects.
    fn test(&mut self) -> String {
        if !self.rng.one_in(6) {
            return self.cond();
        }
        let (x, n) = (self.int(), self.rng.below(9));
        match self.rng.below(4) {
            0 => format!("(a++, a > {n})"),
            1 => format!("({x} || (b = {n}, c < b))"),
            2 => format!("a++ < {n} && --b"),
            _ => "(c = -c, c > 0) || b++".to_owned(),
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
        if self.rng.one_in(4) {
            self.line("a %= 1000; b %= 1000;");
        }
        match self.rng.below(if self.depth > 3 { 30 } else { 44 }) {
            k @ 0..16 => self.integers(k),
            k @ 16..30 => self.cells(k),
            k => self.control(k),
        }
    }

    fn integers(&mut self, k: usize) {
        let (x, y, e, n) = (self.target(), self.int(), self.expr(0), self.rng.below(9) + 1);
        let text = match k {
            // Alone in its statement: C leaves open what comes first in an expression.
            0 if !self.inside => format!("{x} = {}_f({y}, {n});", self.name),
            0..=2 => format!("{x} = ({e}) % 1000;"),
            3 => format!("{x} {} ({e}) % 1000; {x} %= 1000;", self.pick(&["+=", "-=", "^=", "|=", "&="])),
            4 => format!("{x} {} {n}; {x} %= 1000;", self.pick(&["*=", "/=", "%="])),
            5 => {
                let op = self.pick(&["=", "+=", "-=", "*=", "^=", "|=", "&="]);
                match self.rng.below(4) {
                    0 => format!("u {op} (unsigned)({e});"),
                    1 => format!("u {op} u * {n}u;"),
                    2 => format!("u {op} {n}u - u;"),
                    _ => format!("u {op} {e};"),
                }
            }
            6 => format!("u = u {} {};", self.pick(&["<<", ">>"]), self.rng.below(31)),
            7 => format!("uc {} {e};", self.pick(&["=", "+=", "-=", "*=", "^="])),
            8 => format!("sc = (signed char)({e});"),
            9 => format!("sh = (short)({x} * 77);"),
            10 => format!("l = (long)({x}) * {y} + {n};"),
            11 => {
                let factor = self.pick(&["6364136223846793005ul", "3ul", "65537ul"]);
                format!("ul = ul * {factor} + (unsigned long){x};")
            }
            12 => {
                let steps = ["uc++", "--uc", "sh = (short)(sh ^ 5)", "u++", "--u", "l--", "++ul", "sc = -3"];
                format!("{};", self.pick(&steps))
            }
            13 => format!("col = {};", self.pick(&["RED", "GREEN", "BLUE", "(color_t)(u % 7)"])),
            14 => format!("pr.a = ({e}) % 1000; pr.b = (unsigned char)({x});"),
            _ => {
                let from = self.pick(&["t", "pr"]);
                format!("{{ pair_t t = pr; t.a = {n}; pr.b += t.b; pr = {from}; pr.a %= 1000; }}")
            }
        };
        self.line(&text);
    }

    fn cells(&mut self, k: usize) {
        let (x, e, p, q) = (self.target(), self.expr(0), self.pointer(), self.pointer());
        let (guard, n) = (self.guard(p), self.rng.below(9) + 1);
        let text = match k {
            16..=18 => {
                let calls =
                    ["malloc(sizeof(struct item))", "calloc(1, sizeof(struct item))", "malloc(sizeof *n)"];
                let call = self.pick(&calls);
                self.line(&format!("{{ struct item *n = {call};"));
                format!(
                    "  n->link = {q}; n->in.a = ({e}) % 1000; n->in.b = (unsigned char){x}; n->big = l; \
                     n->small = sh; n->tint = col; {p} = n; }}"
                )
            }
            19 => format!("{guard}{q} = {p}->link;"),
            20 => format!("{guard}{p}->link = {q};"),
            21 => format!("{guard}{p}->in.a = ({e}) % 1000;"),
            22 => format!("{guard}{x} = {p}->in.a % 50 + {p}->in.b;"),
            23 => format!("{guard}{{ {p}->in = pr; {p}->small++; {p}->tint = BLUE; }}"),
            24 => format!("{guard}pr = {p}->in;"),
            25 => format!("arr[{}] = ({e}) % 100;", self.index()),
            26 => format!("arr[{}] += {n};", self.index()),
            27 if self.faulty => {
                let after = if self.rng.one_in(2) { String::new() } else { format!(" {p} = NULL;") };
                format!("free({p});{after}")
            }
            27 => format!("{x} = arr[{}]++;", self.index()),
            28 => format!("{p} = {q};"),
            _ => format!(
                "if ({p} && {q}) {{ struct item *t = malloc(sizeof *t); *t = *{p}; t->link = {q}; {q} = t; }}"
            ),
        };
        self.line(&text);
    }

    fn control(&mut self, k: usize) {
        let (x, e, p, q) = (self.target(), self.expr(0), self.pointer(), self.pointer());
        let (n, name) = (self.rng.below(9) + 1, self.name.clone());
        match k {
            30..=32 => {
                let c = self.test();
                self.line(&format!("if ({c}) {{"));
                self.block();
                if self.rng.one_in(2) {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            33 | 34 => {
                let (i, rounds) = (self.fresh("i"), self.rng.below(5) + 1);
                self.line(&format!("for (int {i} = 0; {i} < {rounds}; {i}++) {{"));
                self.block();
                if self.rng.one_in(3) {
                    let (c, word) = (self.cond(), self.pick(&["break", "continue"]));
                    self.line(&format!("  if ({c}) {word};"));
                    self.block();
                }
                self.line(&format!("  a = (a + {i}) % 1000;"));
                self.line("}");
            }
            35 => {
                let t = self.fresh("k");
                self.line(&format!("int {t} = 0;"));
                self.line(&format!(
                    "while ({p} && {t} < 6) {{ {p} = {p}->link; {t}++; {x} = ({x} + {t}) % 100; }}"
                ));
            }
            36 | 37 => {
                let subject = [format!("{x} % 3"), "col".to_owned(), "uc & 3".to_owned(), x];
                let subject = &subject[self.rng.below(4)];
                self.line(&format!("switch ({subject}) {{"));
                for label in ["case 0:", "case 1: case 5:", "default:"] {
                    self.line(&format!("{label} {{"));
                    self.block();
                    let end = self.pick(&["} break;", "}"]);
                    self.line(end);
                }
                self.line("case -1: c = (c + 1) % 1000;");
                self.line("}");
            }
            38 => {
                let d = self.fresh("d");
                self.line(&format!("int {d} = 0;"));
                self.line("do {");
                self.block();
                let c = self.cond();
                self.line(&format!("}} while (++{d} < 3 && {c});"));
            }
            39 => {
                let g = self.fresh("g");
                self.line(&format!("{{ int {g} = 0;"));
                self.line(&format!("{g}_again: ;"));
                self.block();
                let c = self.cond();
                self.line(&format!("if (++{g} < 2 && {c}) goto {g}_again; }}"));
            }
            40 if !self.inside => {
                let to = self.pick(&["a", "b", "c"]);
                self.line(&format!("{name}_set(&{to}, {e});"));
            }
            41 if !self.inside => self.line(&format!("{p} = {name}_push({q}, {e});")),
            42 if !self.inside => self.line(&format!("{name}_pop(&{p});")),
            _ if self.inside => self.line(&format!("c = (c + {x}) % 1000;")),
            _ => {
                let s = self.fresh("st");
                self.line(&format!(
                    "{{ static int {s} = {n}; {s} = ({s} + 1) % 50; {x} = ({x} + {s}) % 1000; }}"
                ));
            }
        }
    }

    fn helpers(&mut self) {
        let (name, start) = (self.name.clone(), self.rng.below(11));
        let end = if self.faulty { "free(old);" } else { "old->small = 0;" };
        self.line(&format!("static int {name}_g = {start} - 5;"));
        self.line(&format!(
            "static void {name}_set(int *where, int v) {{ *where = v % 1000; {name}_g = ({name}_g + 1) % 100; }}"
        ));
        self.line(&format!("static item_p {name}_push(item_p top, int v) {{"));
        self.line("  item_p n = malloc(sizeof(*n)); n->link = top; n->in.a = v % 1000; n->in.b = 1;");
        self.line("  n->big = v; n->small = 2; n->tint = RED; return n;");
        self.line("}");
        self.line(&format!("static void {name}_pop(item_p *top) {{"));
        self.line(&format!("  if (*top) {{ item_p old = *top; *top = old->link; {end} }}"));
        self.line("}");
    }

    fn locals(&mut self) {
        self.line("int c = 3; unsigned u = 5; unsigned char uc = 250; signed char sc = -7; short sh = 300;");
        self.line("long l = 123456; unsigned long ul = 99; color_t col = GREEN; pair_t pr = { 4, 200 };");
        self.line("int arr[5] = { 1, 2, 3 }; struct item *p = NULL, *q = NULL, *h = NULL;");
    }

    /// A ring with a sentinel, filled, walked and freed.
    fn ring(&mut self) {
        let (rounds, way) = (self.rng.below(4) + 1, self.pick(&["next", "prev"]));
        self.line("{ struct dl ring, *d = &ring; ring.next = &ring; ring.prev = &ring; ring.val = 0;");
        self.line(&format!("  for (int i = 0; i < {rounds}; i++) {{"));
        self.line("    struct dl *n = malloc(sizeof *n); n->val = (i * 3 + a) % 100;");
        self.line("    n->next = d->next; n->prev = d; d->next->prev = n; d->next = n;");
        self.line("  }");
        self.line("  int w = 0;");
        self.line(&format!("  for (d = ring.{way}; d != &ring; d = d->{way}) {{"));
        self.line("    w++; b = (b * 3 + d->val * w) % 1000;");
        self.line("  }");
        self.line("  while (ring.next != &ring) {");
        self.line("    struct dl *v = ring.next; v->next->prev = v->prev; v->prev->next = v->next; free(v);");
        self.line("  } }");
    }

    /// Everything the function holds becomes one number.
    fn digest(&mut self) {
        self.line("unsigned acc = 17; int steps = 0;");
        self.line("while (h && steps < 8) {");
        self.line(
            "  acc = mix(acc, h->in.a + h->in.b + (int)h->small + (int)h->tint); h = h->link; steps++;",
        );
        self.line("}");
        for value in ["a", "b", "c", "(int)(u % 1000u)", "uc", "sc", "sh", "clip(l)", "(int)(ul % 997ul)"] {
            self.line(&format!("acc = mix(acc, {value});"));
        }
        self.line("acc = mix(acc, (int)col); acc = mix(acc, pr.a); acc = mix(acc, pr.b);");
        self.line("for (int j = 0; j < 5; j++) acc = mix(acc, arr[j]);");
        let global = format!("acc = mix(acc, {}_g);", self.name);
        self.line(&global);
    }
}
