//! Tests of reading whole files: what is accepted, what is refused and how, and that nothing is fatal.

use super::*;
use crate::frontend::diagnostic::Severity;

fn unit(text: &str) -> Unit {
    load("t.c", text.as_bytes(), &Options::default())
}

const HEAD: &str = "
#include <stdlib.h>
#include <stdio.h>
#include <stdbool.h>
#include <limits.h>
struct node { int data; struct node *next; };
struct dnode { struct dnode *next, *prev; };
struct big { struct node n; int x; };
union u { int a; char b; };
extern int other(int);
int counter;
";

/// Constructs without a model: each of these functions must not have a program, and the message says why.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("int f(int **p) { return **p; }", "parameter"),
    ("int f(struct node ***p) { **p = NULL; return 0; }", "parameter"),
    ("int f(int *p) { *p = 1; return counter; }", "global variable"),
    ("int f(int a[], int *p) { *p = 1; return a[0]; }", "global variable or an array"),
    ("int f(int *a) { a[1] = 1; a++; return *a; }", "arithmetic on pointers"),
    ("int f(struct node p) { return p.data; }", "parameter"),
    ("int f(struct node *p) { return (p + 1)->data; }", "arithmetic on pointers"),
    ("int f(struct node *p) { p++; return 0; }", "arithmetic on pointers"),
    ("int f(struct node *p) { return p[1].data; }", "index on a pointer"),
    ("int f(struct node *p, struct node *q) { return p - q; }", "arithmetic on pointers"),
    ("int f(struct node *p, struct node *q) { return p < q; }", "order between pointers"),
    ("int f(struct node *p) { struct dnode *d = (struct dnode *)(void *)p; return d == NULL; }", "another type"),
    ("int f(struct node *p) { return *(int *)p; }", "conversion from"),
    ("int f(struct node *p) { return (long)p != 0; }", "a pointer as a number"),
    ("struct node *f(void) { return (struct node *)4; }", "a number as a pointer"),
    ("struct two { struct node n[2]; int x; }; int f(struct two *b, struct node *n) { b->x = 2; return n->data; }", "overlapping"),
    ("int g(int n) { return n ? g(n - 1) : 0; } int f(int n) { return g(n); }", "recursion"),
    ("int h(int n); int g(int n) { return h(n); } int h(int n) { return g(n); } int f(int n) { return g(n); }", "recursion"),
    ("int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int); }", "beyond the named"),
    ("int f(volatile int x) { return x; }", "volatile"),
    ("int f(void) { volatile int x = 1; return x; }", "volatile"),
    ("int f(struct node * volatile p) { return p == NULL; }", "volatile"),
    ("int f(int x) { return *(volatile int *)&x; }", "volatile"),
    ("int f(int x) { __asm__ volatile (\"nop\" ::: \"memory\"); return x; }", "assembly"),
    ("_Thread_local int t; int f(void) { return t; }", "thread"),
    ("_Atomic int t; int f(void) { return t; }", "atomic"),
    ("int f(void) { return other(1); }", "neither a body nor a contract"),
    ("int f(int i) { return i + i++; }", "order"),
    ("int f(int i) { i = i++; return i; }", "order"),
    ("int f(int i) { int a[2] = { i++, i++ }; return a[0]; }", "order"),
    ("int f(int i) { struct node n = { i, i++ ? NULL : NULL }; return n.data; }", "order"),
    ("int g(void) { return counter++; } int f(void) { return g() + counter; }", "order"),
    ("int f(int a[], int i) { a[i] = i++; return 0; }", "order"),
    ("struct v { int n; int *a; }; int f(struct v *p) { p->a[p->n++] = 1; return 0; }", "order"),
    ("struct v { int n; char *a; }; int f(struct v *p) { p->a[p->n++] = 1; return 0; }", "index on a pointer"),
    ("struct v { int n; int a[3]; }; int f(struct v *p) { p->a[p->n] = p->n++; return 0; }", "order"),
    ("void g(struct node *p) { free(p); } int id(int x, int y) { return x; } int h(struct node *p) { g(p); return 1; }
      int f(struct node *p) { return id(p->data, h(p)); }", "order"),
    ("int f(int a[], int b[]) { a[0] = 1; b[0] = 2; return a[0]; }", "overlap"),
    ("int tab[3]; int f(int a[]) { a[0] = 1; tab[0] = 2; return a[0]; }", "global arrays"),
    ("int f(int n) { int a[n]; return 0; }", "constant length"),
    ("struct s { void *p; }; int f(struct s *s, struct node *n) { s->p = n; return 0; }", "not tracked"),
    ("struct s { void *p; }; int f(struct s *s) { struct node *n = s->p; return n->data; }", "not tracked"),
    ("struct s { void *p; }; int f(struct s *s, struct node *n) { return s->p == n; }", "not tracked"),
    ("struct s { void *p; }; int f(struct s *s) { free(s->p); return 0; }", "it may be any object"),
    ("int g(a) long a; { return a; } int f(void) { return g(1); }", "no prototype"),
    ("int f(void) { struct node *p = malloc(3); return 0; }", "bytes"),
    ("int f(void) { struct node *p = malloc(sizeof(struct big)); return 0; }", "bytes"),
    ("int f(void) { struct node *p = malloc(2 * sizeof *p); return 0; }", "bytes"),
    ("int f(int n) { struct node *p = malloc(n * sizeof *p); return 0; }", "size of this allocation"),
    ("int f(void) { malloc(16); return 0; }", "not used"),
    ("int f(char *s) { return s[0]; }", "parameter"),
    ("int f(struct node *p) { printf(\"%s\", p); return 0; }", "printing"),
    ("void say(const char *m) { puts(m); } int f(int x) { say(\"x\"); return x; }", "printing"),
    ("int f(int x) { printf(\"%d%n\", x, &x); return x; }", "printing"),
    ("int f(int x) { static int s; return s++; }", "static local"),
    ("int f(int x) { goto in; { int y; in: y = 1; x = y; } return x; }", "jump into a block"),
    ("int f(int x) { switch (x) { case 0: { int y; case 1: y = 1; } } return x; }", "jump into a block"),
    ("int f(int x) { void *l = &&out; goto *l; out: return x; }", "label"),
    ("int f(int x) { return _Generic(x, int: 1, default: 2); }", "built-in"),
    ("int f(int x) { int *p = (int[]){ x, 0 }; return p[0]; }", "array without a name"),
    ("int f(struct node *p) { return memcmp(p, p, 4); }", "not declared"),
    ("struct node *f(void) { struct node *p = NULL; while (!p) p = alloca(sizeof *p); return p; }", "several times"),
    ("struct node *f(void) { again: return alloca(sizeof(struct node)); }", "several times"),
    ("int f(int n) { int *p = alloca(n); return *p; }", "one object"),
    ("int f(void) { char *s = \"x\"; *s = 1; return 0; }", "written through"),
    ("int f(void) { char *s = \"x\", *t = \"x\"; return s == t; }", "comparison of pointers to text"),
    ("int f(struct node *p) { p = realloc(p, 3); return 0; }", "bytes"),
    ("int f(struct node *p) { p = realloc(p, 2 * sizeof *p); return 0; }", "bytes"),
    ("int f(struct node *p) { __builtin_memset(p, 1, sizeof *p); return 0; }", "number as a pointer"),
    ("int f(struct node *p, int c) { __builtin_memset(p, c, sizeof *p); return 0; }", "variable value"),
    ("int f(void) { int a[3]; __builtin_memset(a, 0, 4); return a[2]; }", "one whole object"),
    ("extern struct node *list; int *ip; int f(void) { return *ip; }", "pointer to a scalar"),
];

#[test]
fn what_has_no_model_has_no_program() {
    for (text, expected) in UNSUPPORTED {
        let position = text.rfind(" f(").or_else(|| text.find("f(")).unwrap_or(0);
        let line = text[..position].rfind(['}', ';']).map_or(0, |p| p + 1);
        let text = format!("{HEAD}{} /*@ ensures \\true; @*/ {}\n", &text[..line], &text[line..]);
        let text = format!("{text}/*@ ensures \\result == 1; @*/ int bystander(void) {{ return 1; }}\n");
        let unit = unit(&text);
        let f = unit.functions.iter().find(|f| f.name == "f").unwrap_or_else(|| panic!("no f in {text}"));
        let Err(found) = &f.program else { panic!("accepted: {text}") };
        assert!(found.iter().any(|d| d.message.contains(expected)), "{text}\n{found:#?}");
        let bystander = unit.functions.iter().find(|f| f.name == "bystander").expect("read");
        assert!(bystander.program.is_ok(), "{text}");
    }
}

/// What cells have no words for and is said with what they have: programs, in which values that are not kept are guessed.
const SAID_OTHERWISE: &[&str] = &[
    "int f(void) { union u v; v.a = 3; return v.b; }",
    "int f(union u *v) { v->a = 3; return v->b; }",
    "int f(float x) { return x > 1; }",
    "int f(int x) { return x * 1.5; }",
    "int f(int x) { double d = x; return x; }",
    "int f(void) { return rand(); }",
    "int f(void) { int a[2][2]; a[0][0] = 1; return 0; }",
    "struct s { int a[3]; }; int f(struct s *p) { return p->a[0]; }",
    "struct s { int a : 3; }; int f(struct s *p) { return p->a; }",
];

#[test]
fn what_is_said_otherwise_has_a_program() {
    for text in SAID_OTHERWISE {
        let position = text.rfind(" f(").unwrap_or(0);
        let line = text[..position].rfind(['}', ';']).map_or(0, |p| p + 1);
        let text = format!("{HEAD}{} /*@ ensures \\true; @*/ {}\n", &text[..line], &text[line..]);
        let unit = unit(&text);
        let f = unit.functions.iter().find(|f| f.name == "f").unwrap_or_else(|| panic!("no f in {text}"));
        let program = f.program.as_ref().unwrap_or_else(|found| panic!("{text}\n{found:#?}"));
        assert_eq!(program.validate(), Ok(()), "{text}");
    }
}

/// Wrong input: the first message and its line.
const WRONG: &[(&str, u32, &str)] = &[
    ("int f(nodeptr x) { return 0; }", 1, "unknown type name `nodeptr`"),
    ("void f(void) {\n  list x;\n}", 2, "unknown type name `list`"),
    ("int f(void) {\n  int x = 3\n  return x;\n}", 2, "`;` is missing"),
    ("int f(int x) { if (x { x = 1; } return x; }", 1, "`)` is missing"),
    ("int f(void) {\n  return 0;\nint g(void) { return 1; }", 3, "function definition inside"),
    ("int f(void) { return y; }", 1, "`y` is not declared"),
    ("int f(void) { g(); return 0; }", 1, "function `g` is not declared"),
    ("struct s { int a; };\nint f(struct s *p) { return p->b; }", 2, "has no member `b`"),
    ("struct s;\nint f(struct s *p) { return p->b; }", 2, "not complete"),
    ("struct s;\nint f(struct s *p) { return p->b; }\nstruct s { int b; };", 2, "not complete"),
    ("struct s;\nint f(void) { return sizeof(struct s); }\nstruct s { int b; };", 2, "not complete"),
    ("struct s;\nint f(void) { struct s x; return 0; }\nstruct s { int b; };", 2, "incomplete"),
    ("int f(a)\n  int b; { return a; }", 2, "not among the parameters"),
    ("int f(a)\n  int a, a; { return a; }", 2, "declared twice"),
    ("int f(int x) { return x->a; }", 1, "a pointer is expected"),
    ("int f(void) { 3 = 4; return 0; }", 1, "not an object"),
    ("int f(void) { break; }", 1, "`break` outside"),
    ("int f(void) { goto l; }", 1, "label `l` is not defined"),
    ("int f(int x) { return f(x, x); }", 1, "takes 1 arguments"),
    ("int f(void) { int x; int x; return 0; }", 1, "declared twice"),
    ("int f(void) { return 0; }\nint f(void) { return 0; }", 2, "defined twice"),
    ("#if 1\nint x;", 1, "no `#endif`"),
    ("#include <nothere.h>\nint x;", 1, "not found"),
    ("#error no\n", 1, "#error no"),
    ("#define F(x) x\nint y = F(1, 2);", 2, "takes 1 arguments"),
    ("int x = 09;", 1, "no integer constant"),
    ("/*@ requires x;\nint f(int x) { return 0; }", 1, "annotation is not closed"),
    ("/*@ requires y > 0; @*/ int f(int x) { return 0; }", 1, "`y` is not declared"),
    ("/*@ requires x > 0 @*/ int f(int x) { return 0; }", 1, "`;` is missing"),
    ("/*@ require x > 0; @*/ int f(int x) { return 0; }", 1, "`require` is not a clause"),
    ("/*@ requires x > 0; @*/ int g;", 1, "a contract belongs to a function"),
    ("/*@ requires x > 0; @*/", 1, "no function follows"),
    ("/*@ requires \\lst(x); @*/ int f(int x) { return 0; }", 1, "`\\lst` is not known"),
    ("/*@ requires \\result == 0; @*/ int f(int x) { return 0; }", 1, "exists in `ensures` only"),
    ("/*@ ensures \\result == 0; @*/ void f(int x) { }", 1, "returns nothing"),
    ("/*@ requires x = 0; @*/ int f(int x) { return 0; }", 1, "must not change anything"),
    ("/*@ requires 0 < x > 3; @*/ int f(int x) { return 0; }", 1, "has no order"),
    (
        "struct s { int d; struct s *n; };\n/*@ requires \\list(d, x); @*/ int f(struct s *x) { return 0; }",
        2,
        "no link field",
    ),
    (
        "struct s { int d; struct s *n; };\n/*@ requires \\list(m, x); @*/ int f(struct s *x) { return 0; }",
        2,
        "no member `m`",
    ),
    (
        "struct s { int d; struct s *n; };\n/*@ requires x -n*-> x -n*-> x; @*/ int f(struct s *x) { return 0; }",
        2,
        "two ends",
    ),
    (
        "struct s { int d; struct s *n; };\n/*@ requires x == 1; @*/ int f(struct s *x) { return 0; }",
        2,
        "different types",
    ),
    (
        "struct s { int d; struct s *n; };\n/*@ requires x \\in y; @*/ int f(struct s *x, struct s *y) { return 0; }",
        2,
        "a set of cells",
    ),
    ("/*@ requires p(x); @*/ int f(int x) { return 0; }", 1, "`p` is no predicate"),
    ("/*@ predicate p(int x) = p(x); @*/ int f(int x) { return 0; }", 1, "by itself"),
    ("/*@ predicate p(int x) = y > 0; @*/ int f(int y) { return 0; }", 1, "`y` is not declared"),
    (
        "int f(int x) {\n  int y = 0;\n  /*@ loop invariant \\old(y) == 0; @*/\n  while (x) x--;\n  return y;\n}",
        3,
        "has no value at the function's entry",
    ),
    ("int f(int x) {\n  /*@ loop invariant x >= 0; @*/\n  x = 1;\n  return x;\n}", 2, "no loop follows"),
    (
        "int f(int x) {\n  /*@ requires x >= 0; @*/\n  x = 1;\n  return x;\n}",
        2,
        "cannot stand between statements",
    ),
    ("int f(int x) { /*@ ghost x = 1; @*/ return x; }", 1, "may only change ghost fields"),
    (
        "struct s { /*@ ghost struct s *g; @*/ int d; };\nint f(struct s *x) { return x->g == x; }",
        2,
        "ghost field belongs",
    ),
    (
        "/*@ behavior a: requires x > 0; behavior a: requires x < 0; @*/ int f(int x) { return 0; }",
        1,
        "defined twice",
    ),
    ("/*@ shape list(foo); @*/ int f(int x) { return 0; }", 1, "no struct has these fields"),
    (
        "struct s { int d; };\nint f(struct s *x) {\n/*@ track (struct s *v) x == x; @*/\n while (x != 0) x = 0; return 0; }",
        3,
        "does not speak of `v`",
    ),
    ("/*@ shape dlist(next, next); @*/ int f(int x) { return 0; }", 1, "must be different ones"),
    ("/*@ shape tree(next, next); @*/ int f(int x) { return 0; }", 1, "must be different ones"),
    ("/*@ pattern (struct zz *a) a == a; @*/ int f(int x) { return 0; }", 1, "zz"),
    ("int f(int x) { return /*@ assert x; @*/ x; }", 1, "expected an expression"),
];

#[test]
fn wrong_input_is_explained() {
    for (text, line, expected) in WRONG {
        let unit = unit(text);
        assert!(unit.has_errors(), "accepted: {text}");
        let found = unit.diagnostics.iter().find(|d| d.message.contains(expected));
        let found = found.unwrap_or_else(|| panic!("{text}\n{:#?}", unit.diagnostics));
        assert_eq!(unit.sources.location(found.span).line, *line, "{text}");
        assert_eq!(found.severity, Severity::Error, "{text}");
    }
}

#[test]
fn one_bad_function_does_not_hide_the_others() {
    let text = "
        /*@ ensures \\result == 1; @*/ int a(void) { return 1; }
        /*@ ensures \\result == 2; @*/ int b(void) { int x = ; return x; }
        /*@ ensures \\result == 3; @*/ int c(void) { y = 1; return 3; }
        /*@ ensures nonsense; @*/ int d(void) { return 4; }
        /*@ ensures \\result == 5; @*/ int e(void) { return 5; }
        int main(void) { return a(); }";
    let unit = unit(text);
    let verdicts: Vec<(&str, bool)> =
        unit.functions.iter().map(|f| (f.name.as_str(), f.program.is_ok())).collect();
    let expected = [("a", true), ("b", false), ("c", false), ("d", false), ("e", true), ("main", true)];
    assert_eq!(verdicts, expected);
    assert!(unit.diagnostics.len() >= 3);
}

#[test]
fn odd_files_are_refused_politely() {
    let refused = |bytes: &[u8]| load("t.c", bytes, &Options::default());
    assert!(refused(&[0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff]).has_errors());
    assert!(refused(&[0xff, 0xfe, b'a']).has_errors());
    // The message names the byte and its place.
    let unit = refused(b"int a;\n/* \xfc */");
    let [diagnostic] = &unit.diagnostics[..] else { panic!("{:?}", unit.diagnostics) };
    assert!(diagnostic.message.contains("0xfc"), "{}", diagnostic.message);
    assert_eq!(diagnostic.span.start, 10);
    assert!(!refused(b"").has_errors());
    assert!(!refused("\u{feff}int x;\r\n".as_bytes()).has_errors());
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, middle: &str, close: &str| {
        let n = 10_000;
        format!("int main(void) {{ int x = 0; {}{middle}{} return 0; }}", open.repeat(n), close.repeat(n))
    };
    let texts = [
        deep("{", "", "}"),
        deep("if (x) ", ";", ""),
        deep("if (x) ; else ", ";", ""),
        deep("while (x) ", ";", ""),
        deep("x = ", "1;", ""),
        deep("(", "x", ")"),
        deep("!", "x;", ""),
        deep("x + ", "x;", ""),
        deep("x ? x : ", "x;", ""),
        deep("x ? ", "x", ": x"),
        deep("({ ", "x;", "})"),
        deep("x[", "x", "]"),
        deep("(int)", "x;", ""),
        deep("sizeof ", "x;", ""),
        deep("int ", "x;", ""),
        deep("struct { ", "int a; ", "} b;"),
        deep("*", "x;", ""),
        deep("case 1: ", ";", ""),
        deep("l: ", ";", ""),
        deep("/*@ assert ", "", ""),
        format!("int {}x{};", "(".repeat(10_000), ")".repeat(10_000)),
        format!("int {}x;", "*".repeat(10_000)),
        format!("int x{};", "[1]".repeat(10_000)),
        format!("int x = {}1{};", "{".repeat(10_000), "}".repeat(10_000)),
        format!("/*@ predicate p(int x) = {}x{}; @*/", "(".repeat(10_000), ")".repeat(10_000)),
        format!("/*@ predicate p(int x) = {}x; @*/", "x ==> ".repeat(10_000)),
        format!("/*@ predicate p(int x) = {}x; @*/", "\\forall int y; ".repeat(10_000)),
        format!("#define F(x) x\nint y = {}1{};", "F(".repeat(3_000), ")".repeat(3_000)),
        format!("#if {}1{}\n#endif", "(".repeat(10_000), ")".repeat(10_000)),
        format!("#if {}1\n#endif", "!".repeat(10_000)),
    ];
    for text in texts {
        assert!(unit(&text).has_errors(), "{}", &text[..60]);
    }
}

#[test]
fn nothing_explodes() {
    let doubling = |first: &str, line: &dyn Fn(usize) -> String, last: &str| {
        let lines: String = (0..40).map(line).collect();
        format!("{first}\n{lines}{last}")
    };
    let texts = [
        doubling("#define A0 x", &|i| format!("#define A{} A{i} A{i}\n", i + 1), "int main(void) { A40; }"),
        doubling(
            "struct s0 { int x; };",
            &|i| format!("struct s{} {{ struct s{i} a, b; }};\n", i + 1),
            "int main(void) { struct s40 v; v.a.a = v.b.b; return 0; }",
        ),
        doubling(
            "struct n { struct n *next; };\n/*@ predicate p0(struct n *x) = x == NULL;",
            &|i| format!("predicate p{}(struct n *x) = p{i}(x) && p{i}(x->next);\n", i + 1),
            "@*/ /*@ requires p40(x); @*/ int f(struct n *x) { return 0; }",
        ),
        doubling(
            "int f0(int x) { return x; }",
            &|i| format!("int f{}(int x) {{ return f{i}(x) + f{i}(x); }}\n", i + 1),
            "int main(void) { return f40(1); }",
        ),
    ];
    for text in texts {
        let unit = unit(&text);
        assert!(unit.functions.iter().all(|f| f.program.is_err()), "{text}");
    }
}

#[test]
fn mutations_are_never_fatal() {
    let seeds = [
        include_str!("lower/tests.rs"),
        "#include <stdlib.h>\n#define N 3\nstruct node { int d; struct node *next; /*@ ghost struct node *g; @*/ };\n\
         /*@ predicate l(struct node *x) = \\list(next, x) && \\forall struct node *u; u \\in \\cells(next, x, NULL) ==> u->d <= N; @*/\n\
         /*@ requires l(x); behavior b: ensures \\result == \\old(x); assigns x->next, \\cells(next, x, NULL)->d; @*/\n\
         struct node *f(struct node *x, int a[]) { struct node *p = x, **q = &p; int i = 0;\n\
         /*@ loop invariant x -next*-> p; loop assigns p; track p != NULL; @*/\n\
         for (; p != NULL && i < N; p = p->next) { switch (p->d) { case 1: a[i++] = 2; break; default: goto out; } }\n\
         out: /*@ assert \\at(p, out) == p; @*/ *q = malloc(sizeof **q); free(*q); return x; }\n\
         int main(void) { struct node s = { 1, NULL }; int b[N] = { 0 }; return f(&s, b) == NULL ? 1 : 0; }\n",
    ];
    let mut rng = crate::util::rng::Rng::new(7);
    let mut below = |n: usize| (rng.next_u64() % n.max(1) as u64) as usize;
    let pieces = [
        "/*@", "@*/", "{", "}", "(", ")", ";", "\\", "#", "\"", "'", "*", "->", "\n", "é", "0x", "typedef ",
        "==",
    ];
    for round in 0..400 {
        let seed = if round % 8 == 0 { &seeds[0][..6000] } else { seeds[1] };
        let mut text: Vec<char> = seed.chars().collect();
        for _ in 0..=below(4) {
            let at = below(text.len());
            match below(4) {
                0 => {
                    let end = (at + below(20)).min(text.len());
                    text.drain(at..end);
                }
                1 => {
                    let piece = pieces[below(pieces.len())];
                    text.splice(at..at, piece.chars());
                }
                2 => {
                    let end = (at + below(60)).min(text.len());
                    let copy = text[at..end].to_vec();
                    let to = below(text.len());
                    text.splice(to..to, copy);
                }
                _ => text.truncate(at + 1),
            }
        }
        let text: String = text.into_iter().collect();
        let unit = unit(&text);
        for function in &unit.functions {
            if let Ok(program) = &function.program {
                wellformed_tests::check(program, &text);
            }
        }
    }
}

/// The programs that the engines are measured on.
#[test]
fn shared_programs_are_read() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let mut count = 0;
    for folder in ["examples", "benchmarks/bohne", "benchmarks/lazy"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        for path in entries
            .filter_map(|e| e.ok())
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "c"))
        {
            let text = std::fs::read(&path).expect("readable");
            for options in
                [Options::default(), Options { lp64: false, inline_contracts: true, ..Options::default() }]
            {
                let unit = load("t.c", &text, &options);
                assert!(unit.diagnostics.is_empty(), "{path:?}: {:#?}", unit.diagnostics);
                assert!(!unit.functions.is_empty(), "{path:?}");
                for function in &unit.functions {
                    let program = function.program.as_ref().unwrap_or_else(|_| panic!("{path:?}"));
                    wellformed_tests::check(program, &format!("{path:?}"));
                }
            }
            count += 1;
        }
    }
    if count == 0 {
        eprintln!("skipped: no shared programs beside the package");
    }
}

/// In the style of the SV-COMP tasks: old declarations, aborts, assertions with an `ERROR` label, `T **`.
const TASK: &str = r#"
extern void abort(void);
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function);
void reach_error() { __assert_fail("0", "x.c", 3, "reach_error"); }
void assume_abort_if_not(int cond) { if(!cond) {abort();} }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } return; }
int __VERIFIER_nondet_int();
void *malloc(unsigned long size);
void free(void *);
typedef struct node { int h; struct node *n; } *List;
typedef struct dll { struct dll *next; struct dll *prev; int data[1]; } *DLL;
void myexit(int s) { _EXIT: goto _EXIT; }
List cons(int h, List t) { List r = (List) malloc(sizeof(struct node)); if (!r) myexit(1); r->h = h; r->n = t; return r; }
void append(List *pl, int v) {
  List x = cons(v, 0);
  if (*pl) { List last = *pl; while (last->n) last = last->n; last->n = x; } else *pl = x;
}
struct node *alloc_or_die(void) { struct node *p = malloc(sizeof(*p)); if (!p) abort(); return p; }
static void alloc_and_zero(struct node **pp) { struct node *p = alloc_or_die(); p->n = *pp; p->h = 0; *pp = p; }
void destroy(List l) { while (l) { List next = l->n; free(l); l = next; } }
int main() {
  List l = 0;
  int n = __VERIFIER_nondet_int();
  assume_abort_if_not(n >= 0);
  for (int i = 0; i < n; i++) append(&l, i);
  alloc_and_zero(&l);
  while (__VERIFIER_nondet_int()) alloc_and_zero(&l);
  List c = l;
  while (c != ((void*)0)) { __VERIFIER_assert(c->h >= 0); c = c->n; }
  destroy(l);
  DLL d = malloc(sizeof(struct dll));
  d->next = d->prev = d;
  free(d);
  return 0;
}
"#;

#[test]
fn a_task_in_the_old_style_is_read() {
    for lp64 in [false, true] {
        let unit = load("t.c", TASK.as_bytes(), &Options { lp64, ..Options::default() });
        assert!(unit.diagnostics.is_empty(), "{:#?}", unit.diagnostics);
        let program = unit.functions[0].program.as_ref().expect("supported");
        wellformed_tests::check(program, "TASK");
        // The three loops of `main`, one per inlined loop, and the endless `goto`s.
        assert!(program.loops.len() >= 6, "{}", program.loops.len());
    }
}
