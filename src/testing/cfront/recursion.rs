//! Recursion: numbers, lists, trees, functions that call each other, locals and statics of each call.
//!
//! The interpreter follows a few levels ([`inline_contracts`](crate::frontend::c::Options::inline_contracts)), so no
//! function is active more than five times at once. Faulty programs forget a test or look at what was freed.

use crate::util::rng::Rng;
use std::fmt::Write;

/// The functions of one program and the one of this name that calls them.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut rng = Rng::new(seed);
    let mut out = format!("struct {name}_n {{ int v; struct {name}_n *l, *r; }};\n");
    let mut calls = String::new();
    for part in 0..1 + rng.below(3) {
        let f = format!("{name}_{part}");
        let call = match rng.below(6) {
            0 => numbers(&mut rng, &f, &mut out),
            1 => pair(&mut rng, &f, &mut out),
            2 => locals(&mut rng, &f, &mut out),
            3 => tree(&mut rng, name, &f, &mut out),
            _ => list(&mut rng, name, &f, faulty, &mut out),
        };
        let _ = writeln!(calls, "  h = mix(h, (unsigned long){call});");
    }
    let _ = write!(out, "int {name}(void) {{\n  unsigned h = 7;\n{calls}  return (int)(h % 99);\n}}\n");
    out
}

/// A value that the calls make from each other's results; where the call stands in the expression varies.
fn numbers(rng: &mut Rng, f: &str, out: &mut String) -> String {
    let (a, b, c) = (1 + rng.below(5), rng.below(7), 2 + rng.below(3));
    let step = match rng.below(3) {
        0 => format!("({f}(n - 1, a + {a}) * {c} + a) % 97"),
        1 => format!("n % 2 ? {f}(n - 1, a * {c} % 31) : {f}(n - 2, a + {b}) + {a}"),
        _ => format!("{f}(n - 1, {f}(n - 2, a + {b}) % 13) + n"),
    };
    let _ = writeln!(out, "static int {f}(int n, int a) {{ if (n <= 0) return a + {b}; return {step}; }}");
    format!("{f}({}, {})", rng.below(5), rng.below(9))
}

/// Two functions that call each other.
fn pair(rng: &mut Rng, f: &str, out: &mut String) -> String {
    let (a, b) = (1 + rng.below(4), 1 + rng.below(4));
    let _ = write!(
        out,
        "static int {f}_odd(int n);\nstatic int {f}_even(int n) {{ return n <= 0 ? {a} : {f}_odd(n - 1) + {b}; }}\n\
         static int {f}_odd(int n) {{ if (n <= 0) return {b}; return {f}_even(n - 1) * {a}; }}\n"
    );
    format!("{f}_even({})", rng.below(8))
}

/// Each call has its own locals, all share the statics; a pointer leads to a local of the caller.
fn locals(rng: &mut Rng, f: &str, out: &mut String) -> String {
    let (a, b) = (1 + rng.below(5), rng.below(5));
    let _ = write!(
        out,
        "static void {f}(int n, int *up) {{\n  static int calls;\n  int mine = n * {a};\n  calls++;\n  \
         if (n > 0) {f}(n - 1, &mine);\n  *up = *up + mine + calls * {b};\n}}\n\
         static int {f}_run(void) {{ int top = {b}; {f}({}, &top); {f}({}, &top); return top; }}\n",
        rng.below(4),
        rng.below(3)
    );
    format!("{f}_run()")
}

/// A tree is built, folded and freed.
fn tree(rng: &mut Rng, name: &str, f: &str, out: &mut String) -> String {
    let (depth, a, c) = (rng.below(4), 1 + rng.below(5), 1 + rng.below(3));
    let order = if rng.one_in(2) { "t->l) * 3 + " } else { "t->r) * 2 + " };
    let _ = write!(
        out,
        "static struct {name}_n *{f}_mk(int d, int v) {{\n  if (d <= 0) return NULL;\n  \
         struct {name}_n *t = malloc(sizeof *t);\n  t->v = v;\n  t->l = {f}_mk(d - 1, v + {a});\n  \
         t->r = v % {c} ? NULL : {f}_mk(d - 1, v * 2);\n  return t;\n}}\n\
         static int {f}_sum(struct {name}_n *t) {{ return t ? {f}_sum({order}{f}_sum(t->r) + t->v : 1; }}\n\
         static void {f}_del(struct {name}_n *t) {{ if (t) {{ {f}_del(t->l); {f}_del(t->r); free(t); }} }}\n\
         static int {f}_run(void) {{ struct {name}_n *t = {f}_mk({depth}, {a}); int s = {f}_sum(t); {f}_del(t); return s; }}\n"
    );
    format!("{f}_run()")
}

/// A list is built, changed and freed.
fn list(rng: &mut Rng, name: &str, f: &str, faulty: bool, out: &mut String) -> String {
    let (n, a) = (rng.below(5), 1 + rng.below(6));
    let test = if faulty && rng.one_in(3) { "p->l" } else { "p && p->l" };
    let free = if faulty && rng.one_in(3) {
        format!("free(p); {f}_del(p->l);")
    } else {
        format!("{f}_del(p->l); free(p);")
    };
    let _ = write!(
        out,
        "static struct {name}_n *{f}_mk(int n) {{\n  struct {name}_n *p = NULL;\n  if (n > 0) {{ p = malloc(sizeof *p); \
         p->v = n * {a}; p->r = NULL; p->l = {f}_mk(n - 1); }}\n  return p;\n}}\n\
         static struct {name}_n *{f}_rev(struct {name}_n *p, struct {name}_n *done) {{\n  if (!p) return done;\n  \
         struct {name}_n *next = p->l;\n  p->l = done;\n  return {f}_rev(next, p);\n}}\n\
         static int {f}_last(struct {name}_n *p) {{ if ({test}) return {f}_last(p->l) + 1; return p ? p->v : 0; }}\n\
         static void {f}_del(struct {name}_n *p) {{ if (p) {{ {free} }} }}\n\
         static int {f}_run(void) {{\n  struct {name}_n *p = {f}_rev({f}_mk({n}), NULL);\n  int s = {f}_last(p);\n  \
         {f}_del(p);\n  return s;\n}}\n"
    );
    format!("{f}_run()")
}
