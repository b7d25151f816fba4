//! Which cells of variables go, and that what is left behaves the same.
//!
//! That promoted programs compute what compiled C computes is tested with all other programs (`lower::tests`, the
//! comparison with compiled C); here: that cells go where they should, stay where they must, and that dangling and null
//! pointers are still found.

use super::super::super::{Options, load};
use super::super::tests::{End, run};
use crate::program::{Command, Program, Storage};

const HEAD: &str = "#include <stdlib.h>\nstruct node { int data; struct node *next; };\n\
    static struct node *cons(int d, struct node *n) {\n\
    struct node *c = malloc(sizeof *c); c->data = d; c->next = n; return c; }\n";

fn lower(text: &str) -> Program {
    let unit = load("t.c", format!("{HEAD}{text}").as_bytes(), &Options::default());
    let main = unit.functions.into_iter().find(|f| f.name == "main").expect("main");
    let program = main.program.unwrap_or_else(|d| panic!("{text}: {}", d[0].message));
    program.validate().unwrap_or_else(|e| panic!("{text}: {e}"));
    program
}

fn cells(program: &Program) -> usize {
    let automatic = |c: &Command| matches!(c, Command::Alloc { storage: Storage::Automatic, .. });
    program.edges.iter().filter(|e| automatic(&e.command)).count()
}

#[test]
fn cells_go_and_the_result_is_the_same() {
    for (text, status) in [
        // A pointer to a variable or into a cell.
        (
            "int main(void) { struct node *root = cons(1, cons(2, cons(3, NULL))); struct node **pp = &root;
               while (*pp) { if ((*pp)->data == 2) *pp = (*pp)->next; else pp = &(*pp)->next; }
               return root->data * 10 + root->next->data; }",
            13,
        ),
        // One of two variables.
        (
            "int main(void) { int a = 1, b = 2; int *p = a > b ? &a : &b; *p = 7; p = &a; *p += 1;
               return a * 10 + b; }",
            27,
        ),
        // The same place in every round of a loop, another variable each time.
        (
            "int main(void) { int sum = 0; for (int i = 0; i < 3; i++) { int x = i; int *p = &x; *p += 1; sum += x; }
               return sum; }",
            6,
        ),
        // Comparisons with null and with an address.
        (
            "int main(void) { int a = 1, b = 2; int *p = &a, *q = 0; return (p == &a) + 2 * (p == &b) + 4 * (q == 0)
               + 8 * (p != 0); }",
            13,
        ),
        // Struct variables, copied and returned.
        (
            "struct pair { int x, y; }; static struct pair make(int x) { struct pair p = {x, x + 1}; return p; }
             int main(void) { struct pair a = make(3), b; b = a; b.x += 2; return a.x * 10 + b.x + a.y; }",
            39,
        ),
        // Globals.
        ("static int g; int main(void) { int *p = &g; *p = 4; return g; }", 4),
    ] {
        let program = lower(text);
        assert_eq!(cells(&program), 0, "{text}");
        assert_eq!(run(&program), End::Exit(status), "{text}");
    }
}

#[test]
fn cells_stay_where_their_addresses_go_elsewhere() {
    for (text, count) in [
        // Into a cell.
        (
            "struct box { int *p; }; int main(void) { int x = 1; struct box *b = malloc(sizeof *b); b->p = &x; return *b->p; }",
            1,
        ),
        // A struct whose address is a pointer like others.
        (
            "int main(void) { struct node s = {1, NULL}; struct node *p = cons(2, &s); return p->next->data; }",
            1,
        ),
        // A pointer that may also be a cell of the heap.
        (
            "int main(void) { int x = 1; int *p = &x; int *q = malloc(sizeof *q); *q = 1; p = q; return *p; }",
            1,
        ),
    ] {
        let program = lower(text);
        assert_eq!(cells(&program), count, "{text}");
        assert_eq!(run(&program), End::Exit(1), "{text}");
    }
}

#[test]
fn pointers_that_lead_nowhere_are_found() {
    let invalid = |name: &str| End::Bad(format!("validity of pointer `{name}`"));
    for (text, end) in [
        ("int main(void) { int x = 1; int *p = &x; p = 0; return *p; }", invalid("p")),
        ("static int *f(void) { int x = 1; int *q = &x; return q; } int main(void) { int *r = f(); return *r; }", invalid("r")),
        (
            "int main(void) { int a = 1; int *p = &a; for (int i = 0; i < 2; i++) { int x = i; if (i) { a = *p; } p = &x; }
               return a; }",
            invalid("p"),
        ),
        // An ended life is no live one, even if that has the same place in the text.
        (
            "int main(void) { int *p = 0, n = 0; for (int i = 0; i < 2; i++) { int x = i; n += p == &x; p = &x; } return n; }",
            End::Exit(0),
        ),
    ] {
        assert_eq!(run(&lower(text)), end, "{text}");
    }
}

#[test]
fn contracts_mean_the_values_at_entry() {
    // The address of `h` is used, so the body works on a copy; the contract speaks of what was handed over.
    let text = "/*@ requires h != NULL && h->next == NULL; assigns h->data; ensures \\result == h; @*/
        struct node *f(struct node *h) { struct node **p = &h; (*p)->data = 1; struct node *was = *p; *p = NULL; return was; }";
    let unit = load("t.c", format!("{HEAD}{text}").as_bytes(), &Options::default());
    let function = unit.functions.into_iter().find(|f| f.name == "f").expect("f");
    let program = function.program.unwrap_or_else(|d| panic!("{}", d[0].message));
    let h = program.var_named("h").expect("the parameter");
    let mut named = Vec::new();
    crate::program::walk::contract(&program.contracts[0], &mut |part| {
        if let crate::program::walk::Part::Term(crate::program::Term::Var(v, _)) = part {
            named.push(*v);
        }
    });
    named.retain(|v| program.vars[v.index()].kind != crate::program::VarKind::Result);
    assert_eq!(named, vec![h; named.len()], "all clauses speak of the parameter itself");
    assert_eq!(named.len(), 4);
    assert_eq!(cells(&program), 0);
}
