//! Tests of the parser: syntax that real files contain is read, and errors cost one item.

use super::super::Options;
use super::super::ast::Item;
use super::super::preprocess::preprocess;
use super::super::token::Names;
use super::parse;
use crate::frontend::diagnostic::Sources;

fn run(text: &str) -> (Vec<Item>, Vec<String>) {
    let mut sources = Sources::default();
    let main = sources.add("t.c", text.to_owned()).expect("small");
    let (mut names, mut diagnostics) = (Names::default(), Vec::new());
    let text = preprocess(&mut sources, main, &Options::default(), &mut names, &mut diagnostics);
    let parsed = parse(&text.tokens, &text.packed, false, &mut names, &mut diagnostics);
    (parsed.items, diagnostics.into_iter().map(|d| d.message).collect())
}

const ACCEPTED: &[&str] = &[
    "typedef struct node { int d; struct node *n; } node, *list; list f(node *x) { return x->n; }",
    "typedef int T; void f(void) { T T = 1; T = T + 2; { int x = T * T; } } T g;",
    "int (*fp)(int, char *), *(*arr[3])(void), (*pa)[4];",
    "int f(int a[static 3], const char *restrict s, int n[n], ...);",
    "extern int printf(const char *__restrict __format, ...) __attribute__((__nothrow__)) __asm__(\"x\");",
    "static __inline__ int __attribute__((always_inline)) f(void) { return 0; }",
    "__extension__ typedef struct { unsigned a : 3, : 2; union { int x; float y; }; } bits;",
    "enum e { A, B = 1 << 3, C, } v = B; enum e w;",
    "struct s { int a; } x = { .a = 3 }, y[2] = { [1] = { 4 }, };",
    "void f(void) { for (;;) ; for (int i = 0, j = 1; i < j; i++, j--) continue; do ; while (0); }",
    "void f(int x) { switch (x) { case 1: case 2: default: ; } l: if (x) goto l; else return; }",
    "int f(int x) { return sizeof x + sizeof(int) + (int)x + -x * ~x - !x ? x, x : x << 1 >> 2; }",
    "int f(int *p) { return *p++ + (*p)++ + p[1]-- + &*p - p; }",
    "void f(void) { __extension__ ({ int x = 1; x; }); asm volatile (\"\" : : : \"memory\"); }",
    "_Static_assert(1, \"x\"); _Noreturn void f(void); _Alignas(8) int x;",
    "main() { return 0; }",
    "typeof(int) x; __typeof__(x) y;",
    "char *s = \"a\" \"b\\n\\x41\\101\"; int c = 'a' + '\\'' + L'x';",
    "int f(void) { l: ; int x = 0; m: return x; n: }",
    "/*@ requires x > 0; ensures \\result == \\old(x); @*/ int f(int x) { return x; }",
    "int f(int x)\n//@ requires x > 0;\n//@ ensures \\result > 0;\n{ return x; }",
    "struct s { struct s *n; /*@ ghost struct s *g, *h; ghost int k; @*/ };",
    "/*@ predicate p(struct s *x, int k) = \\forall struct s *u, *v; x -n*-> u && u -n+-> v ==> \\btwn(n, x, u, v) <==> k == 1; shape list(n); @*/",
    "void f(int n, int a[]) { /*@ loop invariant \\valid(a + (0..n-1)); loop assigns n, a[0..n]; loop track n > 0, n < 3; loop variant n; @*/ while (n) n--; }",
    "void f(int n) { while (n) /*@ loop invariant n > 0; @*/ { n--; } /*@ assert n == 0; assume n == 0; ghost ; @*/ }",
    "/*@ behavior a: requires x > 0; ensures \\true; behavior b: requires x < 0; assigns \\nothing; @*/ int f(int x) { return 0; }",
    "void f(void) { /*@ track (struct s *v) v == \\null; track 1 == 1; @*/ ; }",
    "/*@ pattern (struct s *a, *b) a == b; pattern 1 == 0; @*/ void f(void) { }",
];

#[test]
fn real_syntax_is_read() {
    for text in ACCEPTED {
        let errors: Vec<_> = run(text).1.into_iter().filter(|m| !m.contains("termination")).collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
    }
}

#[test]
fn an_error_costs_one_item() {
    let broken = [
        "int f( { }",
        "int f(void) { ( }",
        "int f(void) { x = ; y = ; }",
        "struct { int ; } x y;",
        "int 3;",
        "@ x;",
        "int f(void) { if }",
        "int f(void) { return 1 }",
        "int f(void) { for (;;;) ; }",
        "enum { 1 };",
        "int x = { 1;",
        "int f(void) { case: ; }",
        "int f(void) { \"",
        "int f(void) { do x; }",
        "typedef;",
        "int f(void) } {",
    ];
    for text in broken {
        let (items, errors) = run(&format!("{text}\nint after(void) {{ return 1; }}\n"));
        assert!(!errors.is_empty(), "{text}");
        let whole = items.iter().filter(|i| matches!(i, Item::Function(f) if f.body.is_some())).count();
        // A bracket that never closes may swallow what follows; everything else must not.
        let swallowed =
            ["int f( { }", "int x = { 1;", "int f(void) } {", "int f(void) { ( }", "int f(void) { \""]
                .contains(&text);
        assert!(whole >= 1 || swallowed, "{text}: {errors:?}");
    }
}

#[test]
fn statements_after_an_error_are_read() {
    let (_, errors) = run("void f(int x) { x = ; x + ; if (x { x = 1; } y z; return }");
    assert!(errors.len() >= 4, "{errors:?}");
}
