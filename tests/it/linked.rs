//! Several files linked to one program.

use super::files::Project;

const NODE: &str = "struct node { int data; struct node *next; };\n";

const STACK_H: &str = "#ifndef STACK_H
#define STACK_H
typedef struct { int size; int limit; } stats;
struct stack;
struct node { int data; struct node *next; };
/*@ predicate all(struct node *l) = \\list(next, l); @*/
extern int pushed;
extern stats numbers;
struct node *push(struct node *l, int data);
/*@ requires all(l) && \\valid(e) && !(l -next*-> e);
    assigns e->next;
    ensures all(\\result) && \\result == e; @*/
struct node *link(struct node *l, struct node *e);
#endif
";
const STACK_C: &str = "#include \"stack.h\"
#include <stdlib.h>
static int calls;
int pushed;
stats numbers = { 0, 3 };
static void count(void) { calls++; pushed++; }
struct node *link(struct node *l, struct node *e) { e->next = l; return e; }
struct node *push(struct node *l, int data)
{
  struct node *n = malloc(sizeof *n);
  n->data = data;
  count();
  numbers.size = calls;
  n->next = l;
  return n;
}
";
const MAIN_C: &str = "#include \"stack.h\"
#include <assert.h>
#include <stdlib.h>
static int calls = 40;
static void count(void) { calls += 2; }
int main(void)
{
  struct node *l = NULL;
  for (int i = 0; i < 3; i++) l = push(l, i);
  count();
  assert(calls == 42 && pushed == 3 && numbers.size == numbers.limit);
  while (l) { struct node *n = l->next; assert(l->data == --pushed); free(l); l = n; }
  return 0;
}
";

#[test]
fn functions_and_globals_are_found_in_other_files() {
    let p = Project::new("linked", &[("stack.h", STACK_H), ("stack.c", STACK_C), ("main.c", MAIN_C)]);
    for words in ["verify @/stack.c @/main.c", "verify @/main.c @/stack.c", "verify @"] {
        let (status, out, err) = p.run(words);
        assert_eq!((status, err.as_str()), (0, ""), "{words}: {out}");
        assert!(out.contains("stack.c:link: verified (vc, T)\n"), "{out}");
        assert!(out.contains("main.c:main: verified ("), "{out}");
    }
    let (status, out, _) = p.run("verify @/main.c");
    assert_eq!(status, 2, "alone, `push` has no body: {out}");
    let (status, out, err) = p.run("verify --check memsafety,leaks --certificate @/c @/main.c @/stack.c");
    assert_eq!(status, 0, "{out}{err}");
    let (status, out, err) = p.run("certify @/main.c @/stack.c @/c");
    assert!(status != 65 && out.contains("stack.c:link: certified"), "{out}{err}");
    p.write("main.c", &MAIN_C.replace("== 42", "== 43"));
    let (status, out, _) = p.run("verify @/stack.c @/main.c");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("main.c:main: violated") && out.contains("main.c:11:"), "{out}");
}

#[test]
fn a_trace_crosses_files() {
    let p = Project::new(
        "crossing",
        &[
            ("a.c", &format!("{NODE}int head(struct node *l);\nint main(void) {{ return head(0); }}\n")),
            ("b.c", &format!("{NODE}int head(struct node *l)\n{{\n  return l->data;\n}}\n")),
        ],
    );
    let (status, out, err) = p.run("verify @/a.c @/b.c");
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("a.c:main: violated") && out.contains("b.c:4:10: null dereference"), "{out}");
    let (status, out, _) = p.run("verify --svcomp valid-memsafety @/a.c @/b.c");
    assert_eq!(status, 1, "{out}");
    assert!(out.ends_with("VERDICT: false(valid-deref)\n"), "{out}");
}

#[test]
fn conflicts_are_reported() {
    let main = "int f(void);\nextern int x;\nint main(void) { return f() + x; }\n";
    let cases = [
        ("int x = 1;\nint f(void) { return x; }\n", "int f(void) { return 2; }\n", "`f` is defined twice"),
        ("int x = 1;\nint f(void) { return x; }\n", "int x = 2;\n", "`x` is defined twice"),
        ("int x = 1;\n", "void f(int y) { }\n", "`f` is declared with two types"),
        ("long x = 1;\n", "int f(void) { return 1; }\n", "`x` is declared with two types"),
        ("int f = 1;\n", "int x;\n", "`f` is declared as something else"),
    ];
    for (b, c, expected) in cases {
        let p = Project::new("conflicts", &[("a.c", main), ("b.c", b), ("c.c", c)]);
        let (status, _, err) = p.run("verify @/a.c @/b.c @/c.c");
        assert_eq!((status, err.contains(expected)), (65, true), "{b}{c}{err}");
    }
    let p = Project::new("conflict_place", &[("a.c", main), ("b.c", cases[0].0), ("c.c", cases[0].1)]);
    let (_, _, err) = p.run("verify @/a.c @/b.c @/c.c");
    assert!(err.contains("--> c.c:1:5") && err.contains("the first definition is b.c:2:5"), "{err}");
}

#[test]
fn structs_of_one_tag_are_one_type_if_they_agree() {
    let main = format!(
        "#include <assert.h>\n{NODE}struct own {{ int a; }};\nstruct list {{ struct node *head; struct own *o; }};\n\
         int first(struct node *l);\nint other(void);\nint main(void) {{ struct node n; n.data = 3; n.next = 0;\n\
         struct own o; o.a = 1; assert(first(&n) + other() + o.a == 6); return 0; }}\n"
    );
    let agree = format!(
        "struct list;\n{NODE}struct own {{ int b, c; }};\nstruct list {{ struct node *head; struct own *o; }};\n\
         int first(struct node *l) {{ struct list x; x.head = l; return x.head->data; }}\n\
         int other(void) {{ struct own o; o.c = 2; return o.c; }}\n"
    );
    let p = Project::new("tags", &[("a.c", &main), ("b.c", &agree)]);
    let (status, out, err) = p.run("verify @/a.c @/b.c");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let differ = agree.replace("struct node { int data;", "struct node { int data, more;");
    let p = Project::new("tags_differ", &[("a.c", &main), ("b.c", &differ)]);
    let (status, _, err) = p.run("verify @/a.c @/b.c");
    assert_eq!((status, err.contains("declared with two types")), (65, true), "{err}");
}

/// A struct that is private to one file is used through pointers by the other.
#[test]
fn incomplete_types_stay_private() {
    let header =
        "struct box;\nstruct box *make(int v);\nint get(struct box *b);\nvoid drop(struct box *b);\n";
    let body = "#include \"box.h\"\n#include <stdlib.h>\nstruct box { int v; };\n\
        struct box *make(int v) { struct box *b = malloc(sizeof *b); b->v = v; return b; }\n\
        int get(struct box *b) { return b->v; }\nvoid drop(struct box *b) { free(b); }\n";
    let main = "#include \"box.h\"\n#include <assert.h>\n\
        int main(void) { struct box *b = make(7); assert(get(b) == 7); drop(b); return 0; }\n";
    for (first, second) in [("a.c", "z.c"), ("z.c", "a.c")] {
        let p = Project::new("opaque", &[("box.h", header), (first, body), (second, main)]);
        let (status, out, err) = p.run("verify --check memsafety,asserts,leaks @/a.c @/z.c");
        assert_eq!((status, err.as_str()), (0, ""), "{out}");
        p.write(second, &main.replace("get(b) == 7", "b->v == 7"));
        let (status, _, err) = p.run("verify @/a.c @/z.c");
        assert_eq!(status, 65, "the members are not known there: {err}");
    }
}

#[test]
fn unrelated_files_are_not_linked() {
    let one = "/*@ ensures \\result == 1; @*/\nint f(void) { return 1; }\n";
    let two = "/*@ ensures \\result == 2; @*/\nint f(void) { return 2; }\n";
    let p = Project::new("unrelated", &[("a.c", one), ("b.c", two)]);
    let (status, out, err) = p.run("verify @/a.c @/b.c");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    // Two programs that share a file: its functions are verified once.
    let main = "int f(void);\nint main(void) { return f() - 1; }\n";
    let p = Project::new("shared", &[("m1.c", main), ("m2.c", main), ("lib.c", one)]);
    let (status, out, err) = p.run("verify @");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert_eq!(out.matches(":f: verified").count(), 1, "{out}");
    assert_eq!(out.matches(":main: verified").count(), 2, "{out}");
}

#[test]
fn the_library_links_texts() {
    let files =
        [("a.c", "int f(void); int main(void) { return 1 / f(); }"), ("b.c", "int f(void) { return 0; }")];
    let report = catena::Verifier::new().verify_linked(files).expect("a report");
    assert!(matches!(report.functions()[0].verdict(), catena::Verdict::Violated(_)), "{report}");
}
