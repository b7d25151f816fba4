//! Lowered programs are run by a small interpreter and compared with what a C compiler makes of the same text.
//!
//! The interpreter here is independent of the engines' one on purpose: it knows no formulas beyond comparisons, and
//! treats a choice as an error, so that every program below has exactly one run. The expected numbers are the exit
//! statuses of the compiled programs; where the system has a C compiler the test checks that too.

use super::super::{Malloc, Options, load};
use crate::program::{
    At, BinOp, CellId, Command, Cond, Expr, Formula, IntKind, LocationId, Program, State, Status, Storage,
    Term, Value,
};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Exit(i128),
    Abort,
    Bad(String),
}

fn wrap(kind: IntKind, value: i128) -> i128 {
    let low = value.rem_euclid(1 << kind.bits);
    if low > kind.max() { low - (1 << kind.bits) } else { low }
}

fn int(value: Value) -> i128 {
    match value {
        Value::Int(n) => n,
        other => panic!("{other:?} is no number"),
    }
}

fn eval(state: &State, expr: &Expr) -> Value {
    Value::Int(match expr {
        Expr::Var(v) => return state.var(*v),
        Expr::Null(_) => return Value::Null,
        Expr::Int(n) => *n,
        Expr::Neg(e) => -int(eval(state, e)),
        Expr::BitNot(e) => !int(eval(state, e)),
        Expr::Wrap(kind, e) => wrap(*kind, int(eval(state, e))),
        Expr::Binary(op, a, b) => {
            let (a, b) = (int(eval(state, a)), int(eval(state, b)));
            match op {
                BinOp::Add => a + b,
                BinOp::Sub => a - b,
                BinOp::Mul => a * b,
                BinOp::Div => a / b,
                BinOp::Rem => a % b,
                BinOp::BitAnd => a & b,
                BinOp::BitOr => a | b,
                BinOp::BitXor => a ^ b,
                BinOp::Shl => a << b,
                BinOp::Shr => a >> b,
            }
        }
    })
}

fn holds(state: &State, cond: &Cond) -> bool {
    match cond {
        Cond::Const(value) => *value,
        Cond::Compare(cmp, a, b) => cmp.holds(&eval(state, a), &eval(state, b)),
        Cond::Not(inner) => !holds(state, inner),
        Cond::And(parts) => parts.iter().all(|p| holds(state, p)),
        Cond::Or(parts) => parts.iter().any(|p| holds(state, p)),
    }
}

fn term(state: &State, term: &Term) -> Value {
    match term {
        Term::Var(v, At::Now) => state.var(*v),
        Term::Int(n) => Value::Int(*n),
        Term::Null(_) => Value::Null,
        Term::Field(f, At::Now, base) => state.field(self::term(state, base), *f),
        other => panic!("{other:?} is beyond this interpreter"),
    }
}

fn formula(state: &State, f: &Formula) -> bool {
    match f {
        Formula::Const(value) => *value,
        Formula::Compare(cmp, a, b) => cmp.holds(&term(state, a), &term(state, b)),
        Formula::And(parts) => parts.iter().all(|p| formula(state, p)),
        other => panic!("{other:?} is beyond this interpreter"),
    }
}

fn access(state: &State, value: Value, what: &str) -> Result<CellId, End> {
    match value {
        Value::Cell(c) if state.cells[c.index()].status.is_valid() => Ok(c),
        _ => Err(End::Bad(what.to_owned())),
    }
}

fn step(program: &Program, state: &mut State, command: &Command) -> Result<(), End> {
    match command {
        Command::Skip | Command::Assume(_) | Command::Snapshot(_) => {}
        Command::Assign(v, e) => state.vars[v.index()] = eval(state, e),
        Command::Load { to, from, field } => {
            let cell = access(state, state.var(*from), "load")?;
            state.vars[to.index()] = state.field(Value::Cell(cell), *field);
        }
        Command::Store { to, field, value } => {
            let cell = access(state, state.var(*to), "store")?;
            let value = eval(state, value);
            state.set_field(cell, *field, value);
        }
        Command::LoadElement { to, array, index } => {
            let index = int(eval(state, index));
            let found = usize::try_from(index).ok().and_then(|i| state.arrays[array.index()].get(i).copied());
            state.vars[to.index()] = found.ok_or_else(|| End::Bad("bounds".into()))?;
        }
        Command::StoreElement { array, index, value } => {
            let (index, value) = (int(eval(state, index)), eval(state, value));
            let slot = usize::try_from(index).ok().and_then(|i| state.arrays[array.index()].get_mut(i));
            *slot.ok_or_else(|| End::Bad("bounds".into()))? = value;
        }
        Command::Alloc { to, of, storage, zeroed } => {
            let status = if *storage == Storage::Heap { Status::Heap } else { Status::Automatic };
            let cell = state.add_cell(program, *of, status);
            if !zeroed {
                // Numbers that nobody expects.
                for field in program.structs[of.index()].fields.clone() {
                    if let crate::program::Type::Int(_) = program.fields[field.index()].ty {
                        state.set_field(cell, field, Value::Int(12345));
                    }
                }
            }
            state.vars[to.index()] = Value::Cell(cell);
        }
        Command::Free(v) => match state.var(*v) {
            Value::Null => {}
            Value::Cell(c) if state.cells[c.index()].status == Status::Heap => {
                state.cells[c.index()].status = Status::Freed;
            }
            _ => return Err(End::Bad("free".into())),
        },
        Command::Release(v) => {
            let Value::Cell(c) = state.var(*v) else { panic!("release of no cell") };
            assert_eq!(state.cells[c.index()].status, Status::Automatic, "released once");
            state.cells[c.index()].status = Status::Freed;
        }
        Command::Assert { formula: f, what, .. } => {
            if !formula(state, f) {
                return Err(End::Bad(what.clone()));
            }
        }
        Command::Fail { what } => return Err(End::Bad(what.clone())),
        Command::Havoc(v) => {
            // An arbitrary value that a right program never depends on.
            state.vars[v.index()] = match program.vars[v.index()].ty {
                crate::program::Type::Int(kind) => Value::Int(kind.max().min(77)),
                _ => Value::Null,
            };
        }
        Command::Suppose(_) | Command::Scramble { .. } => panic!("{command:?} is beyond this interpreter"),
    }
    Ok(())
}

/// The one run of a program.
pub(super) fn run(program: &Program) -> End {
    let mut state = State::new(program);
    for value in &mut state.vars {
        if let Value::Int(n) = value {
            *n = 54321;
        }
    }
    let successors = program.successors();
    let mut at: LocationId = program.entry;
    for _ in 0..100_000 {
        if at == program.exit {
            let result = program.result().expect("main has a result");
            return End::Exit(int(state.var(result)));
        }
        let open: Vec<_> = successors[at.index()]
            .iter()
            .map(|e| &program.edges[e.index()])
            .filter(|e| !matches!(&e.command, Command::Assume(c) if !holds(&state, c)))
            .collect();
        match open[..] {
            [] if successors[at.index()].is_empty() => return End::Abort,
            [edge] => {
                if let Err(end) = step(program, &mut state, &edge.command) {
                    return end;
                }
                at = edge.to;
            }
            _ => panic!("{} ways to go on at {at:?}", open.len()),
        }
    }
    End::Bad("no end".into())
}

const HEAD: &str = "
#include <stdlib.h>
#include <assert.h>
struct node { int data; struct node *next; };
typedef struct node *List;
";

/// Two queues, one of them global, with every kind of integer.
const QUEUES: &str = r#"
#include <stdlib.h>
#include <stdio.h>
#include <stdbool.h>
typedef enum { RED, BLACK } color;
struct item { color c; bool flag; unsigned n; long long v; struct item *l, *r; };
typedef struct item item_t;
struct queue { item_t *head, *tail; int len; };
static struct queue q0;
static void init(struct queue *q) { q->head = q->tail = NULL; q->len = 0; }
static void put(struct queue *q, item_t *i) { i->r = NULL; if (q->tail) { q->tail->r = i; i->l = q->tail; } else { q->head = i; i->l = NULL; } q->tail = i; q->len++; }
static item_t *get(struct queue *q) { item_t *i = q->head; if (i) { q->head = i->r; if (!q->head) q->tail = NULL; else q->head->l = NULL; --q->len; } return i; }
int main(int argc, char **argv) {
  struct queue q;
  init(&q); init(&q0);
  for (unsigned k = 0; k < 3u; ++k) {
    item_t *i = calloc(1, sizeof(item_t));
    if (!i) { fprintf(stderr, "no memory\n"); exit(EXIT_FAILURE); }
    i->c = k % 2 ? RED : BLACK; i->flag = k > 1; i->n = k * 3; i->v = -1;
    put(k & 1 ? &q : &q0, i);
  }
  item_t *i;
  unsigned sum = 0;
  while ((i = get(&q)) != NULL) { sum += i->n; free(i); }
  while ((i = get(&q0))) { sum += i->n; printf("%u %d\n", i->n, i->flag); free(i); }
  return sum == 9 ? 0 : 1;
}
"#;

/// Bodies after [`HEAD`], and the exit status of the compiled program.
const PROGRAMS: &[(&str, i128)] = &[
    ("int main(void) { return 3 + 4 * 2 - 10 / 3 % 2; }", 10),
    ("int main(void) { int x = 5; x += x++ == 5 ? 1 : 2; return 0; }", -1),
    ("int g; int f(void) { return ++g; } int main(void) { int a = f(); int b = f(); return a * 10 + b + g; }", 14),
    ("int main(void) { int i, s = 0; for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 7) break; s += i; } return s * 10 + i; }", 187),
    ("int main(void) { int i = 0, s = 0; do { s += i; } while (++i < 5); while (i-- > 0) s++; return s; }", 15),
    ("int f(int x) { switch (x) { case 1: return 10; case 2: x++; case 3: x += 5; break; default: x = 40; } return x; }
      int main(void) { return f(1) + f(2) + f(3) + f(9); }", 66),
    ("int main(void) { unsigned char c = 250; c += 10; unsigned u = 3; u = u - 5; _Bool b = 7; signed char d = 200; return c + (u > 100 ? 1 : 0) + b + (d < 0); }", 7),
    ("int main(void) { int x = -7; unsigned y = 2; return (x / 2 == -3) + (x % 2 == -1) * 2 + (x < 0 && !(x < y)) * 4 + ((-1 < 1u) == 0) * 8; }", 15),
    ("int main(void) { int x = 12; return ((x & 10) << 2) + (x | 3) + (x ^ 5) + (x >> 2) - ~x; }", 72),
    ("void push(List *l, int d) { List n = (List)malloc(sizeof(struct node)); n->data = d; n->next = *l; *l = n; }
      int pop(List *l) { List t = *l; int r = t->data; *l = t->next; free(t); return r; }
      int main(void) { List l = NULL; for (int i = 1; i < 5; ++i) push(&l, i); int s = 0, k = 1; while (l) { s += k * pop(&l); k = k * 2; } return s; }", 26),
    ("void rem(List *pp, int d) { while (*pp && (*pp)->data != d) pp = &(*pp)->next; if (*pp) { List t = *pp; *pp = t->next; free(t); } }
      int main(void) { List l = 0; for (int i = 0; i < 4; i++) { List n = malloc(sizeof *n); n->data = i; n->next = l; l = n; }
        rem(&l, 3); rem(&l, 1); int s = 0; for (List p = l; p != NULL; p = p->next) s = s * 10 + p->data; return s; }", 20),
    ("struct pair { int a; struct { int x, y; } in; List p; };
      int sum(struct pair v) { v.a += 100; return v.a + v.in.x + v.in.y; }
      struct pair make(int a) { struct pair r = { a, { 2, 3 } }; return r; }
      int main(void) { struct pair p = make(1), q; q = p; q.in.x += 7; struct pair *r = &q; r->a = 4; return sum(p) + sum(q) + p.a + (p.p == NULL); }", 224),
    ("int main(void) { int k = 0; again: k++; if (k < 3) goto again; goto out; k = 100; out: return k; }", 3),
    ("int main(void) { int a[4] = { 1, 2 }; a[2] = a[0] + a[1]; int i = 0; a[i++] = 9; return a[0] + a[1] + a[2] * a[i] + a[3]; }", 17),
    ("int tab[3] = { 4, 5, 6 }; int g = 2; static List head; int sum(int a[], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
      int main(void) { return sum(tab, 3) + g + (head == NULL); }", 18),
    ("int f(void) { static int n = 5; return n++; } int main(void) { f(); f(); return f(); }", 7),
    ("int side; int t(int v) { side = side * 10 + v; return v; } int main(void) { int a = t(0) && t(1); int b = t(2) || t(3); int c = t(0) ? t(4) : (t(5), t(6)); return side % 200 + a + b + c; }", 63),
    ("int main(void) { List p; if ((p = malloc(sizeof(struct node))) == NULL) return 1; p->data = 1; List q = p; p = NULL; int r = q->data; free(q); free(p); return r; }", 1),
    ("struct node sent; int main(void) { sent.data = 3; List p = &sent; p->next = p; return p->next->data + sent.next->data; }", 6),
    ("int x = 4; int *p = &x; int main(void) { *p = 7; int y = 2; int *q = &y; *q += x; { int z = 1; q = &z; *q = 9; } return x + y; }", 16),
    ("enum color { RED, GREEN = 5, BLUE }; int main(void) { enum color c = BLUE; return c + GREEN + RED; }", 11),
    ("#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define TWICE(x) MAX(x, (x)) * 2\nint main(void) { return TWICE(3) + MAX(1, 2); }", 8),
    ("int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x; x = i; s += x; { int x = 10; s += x; } } return s; }", 33),
    ("void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 1, y = 2; swap(&x, &y); swap(&x, &x); return x * 10 + y; }", 21),
    ("int main(void) { struct node a = { 1, NULL }, b = { .next = &a, .data = 5 }; return b.next->data + b.data; }", 6),
    ("void fin(int c) { exit(c); } int main(void) { struct node s; s.data = 9; fin(s.data); return 1; }", 9),
    ("int main(void) { char c = 'a'; short s = 40000; long l = 1; l = l << 40; return (c == 97) + (s < 0) * 2 + (l > 1000000) * 4 + sizeof(struct node); }", 23),
    ("int d(int n) { switch (n % 3) { int q; case 0: q = 1; n += q; case 1: { int r = 2; n += r; break; } case 2: n = 0; } return n; } int main(void) { return d(3) * 100 + d(4) * 10 + d(5); }", 660),
    ("int main(void) { int x = ({ int y = 3; y * 2; }); return x; }", 6),
    ("int main(void) { unsigned long long a = 0; a--; unsigned b = (unsigned)a; return (a > 5) + (b == 4294967295u) * 2 + (int)(b >> 28); }", 18),
    (QUEUES, 0),
];

/// Programs that fail, and how.
const FAULTY: &[(&str, &str)] = &[
    ("int main(void) { List p = NULL; return p->data; }", "load"),
    ("int main(void) { List p = malloc(sizeof *p); free(p); p->data = 1; return 0; }", "store"),
    ("int main(void) { List p = malloc(sizeof *p); free(p); free(p); return 0; }", "free"),
    ("int main(void) { struct node s; free(&s); return 0; }", "free"),
    (
        "List leak(void) { struct node s; s.data = 1; return &s; } int main(void) { return leak()->data; }",
        "load",
    ),
    ("int main(void) { int *p; { int x = 3; p = &x; } return *p; }", "validity of pointer `p`"),
    (
        "int main(void) { int *p; for (int i = 0; i < 2; i++) { int x = i; if (i) return *p; p = &x; } return 0; }",
        "validity of pointer `p`",
    ),
    (
        "int main(void) { struct node *p; goto in; { in: ; } { struct node s; p = &s; s.data = 1; goto out; } out: return p->data; }",
        "load",
    ),
    ("int main(void) { assert(1 == 2); return 0; }", "assertion"),
    ("void reach_error(void) { for (;;) ; } int main(void) { reach_error(); return 0; }", "reach_error"),
    ("int main(void) { int x = 1; if (x) goto ERROR; return 0; ERROR: return 1; }", "label `ERROR`"),
    ("int main(void) { int z = 0; return 1 / z; }", "division by zero"),
    ("int main(void) { int z = 40; return 1 << z; }", "shift by more than the width"),
    ("int main(void) { int a[3]; a[0] = 1; int i = 3; return a[i]; }", "bounds"),
    (
        "int main(void) { List n = NULL; List *p = &n->next; return p == 0; }",
        "address of a member of a null pointer",
    ),
    ("static struct node s; int main(void) { List p = &s; free(p); return 0; }", "free"),
];

fn program(text: &str, options: &Options) -> Result<Program, String> {
    let unit = load("t.c", format!("{HEAD}{text}").as_bytes(), options);
    let main = unit.functions.into_iter().find(|f| f.name == "main");
    main.ok_or_else(|| "no main".to_owned())?.program.map_err(|d| d[0].message.clone())
}

#[test]
fn programs_do_what_the_compiler_makes_of_them() {
    for (text, expected) in PROGRAMS {
        match program(text, &Options::default()) {
            Ok(program) => {
                super::super::wellformed_tests::check(&program, text);
                assert_eq!(run(&program), End::Exit(*expected), "{text}");
            }
            // Marked in the table: no order of evaluation, no program.
            Err(message) => {
                assert_eq!((*expected, message.contains("order")), (-1, true), "{text}: {message}")
            }
        }
    }
}

#[test]
fn faulty_programs_fail_where_they_should() {
    for (text, expected) in FAULTY {
        // The label is a failure for this property only.
        let property = text.contains("ERROR:").then_some(crate::program::Property::UnreachCall);
        let program = program(text, &Options { property, ..Options::default() });
        let program = program.unwrap_or_else(|e| panic!("{text}: {e}"));
        super::super::wellformed_tests::check(&program, text);
        assert_eq!(run(&program), End::Bad((*expected).to_owned()), "{text}");
    }
}

#[test]
fn the_compiler_agrees_with_the_table() {
    let directory = std::env::temp_dir().join(format!("catena-lower-{}", std::process::id()));
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no C compiler on this machine");
        return;
    }
    std::fs::create_dir_all(&directory).expect("a directory for temporary files");
    // All programs in one text: one run of the compiler.
    let mut whole = HEAD.to_owned();
    let mut calls = String::new();
    let usable = PROGRAMS.iter().enumerate().filter(|(_, (t, e))| {
        *e >= 0 && !t.contains("exit") && !t.contains("#define") && !t.contains("#include")
    });
    for (i, (text, expected)) in usable {
        let mut renamed = text.to_string();
        for name in [
            "main", "push", "pop", "rem", "pair", "sum", "make", "swap", "color", "RED", "GREEN", "BLUE",
            "side", "head", "tab", "sent",
        ] {
            renamed = replace_word(&renamed, name, &format!("{name}_{i}"));
        }
        for name in ["f", "g", "t", "d", "x", "p"] {
            renamed = replace_word(&renamed, name, &format!("{name}_{i}"));
        }
        whole.push_str(&renamed);
        whole.push('\n');
        calls.push_str(&format!("if (main_{i}() % 256 != {}) return {};\n", expected % 256, i + 1));
    }
    whole.push_str(&format!("int main(void) {{ {calls} return 0; }}\n"));
    let (source, binary) = (directory.join("all.c"), directory.join("all"));
    std::fs::write(&source, whole).expect("writable");
    let compiled =
        std::process::Command::new("cc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&source).output();
    let compiled = compiled.expect("the compiler runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let status = std::process::Command::new(&binary).status().expect("the program runs");
    std::fs::remove_dir_all(&directory).expect("removable");
    assert_eq!(status.code(), Some(0), "the number is that of the first program that differs");
}

/// Replaces an identifier.
fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        let (before, tail) = rest.split_at(at);
        let end = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
        let (found, after) = tail.split_at(end);
        out.push_str(before);
        out.push_str(if found == word { by } else { found });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[test]
fn malloc_may_fail_on_request() {
    let options = Options { malloc: Malloc::MayFail, ..Options::default() };
    let text = "int main(void) { List p = malloc(sizeof *p); return p == NULL; }";
    let program = program(text, &options).expect("supported");
    let successors = program.successors();
    assert!(successors.iter().any(|s| {
        s.len() == 2 && s.iter().any(|e| matches!(program.edges[e.index()].command, Command::Alloc { .. }))
    }));
}
