//! Random C programs about containers as people write them: lists of `void *` with several types of elements, allocation
//! behind a function, structs that begin with a common one, callbacks, and elements with links inside, in one list or two.
//!
//! Like [`cprograms`](super::cprograms): a function without parameters that returns a number from 0 to 98, the same as
//! cells, as bytes and compiled. Everything that is read was written before. Links in one list only are merged with the
//! element, two lists that share nothing are merged both, two lists that share a variable keep links to the element
//! (`frontend::c::objects`); the seed says which of these a program has.

use crate::util::rng::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const PRELUDE: &str = "#include <stdlib.h>
#include <stddef.h>
#define container_of(p, T, m) ({ const typeof(((T *)0)->m) *q_ = (p); (T *)((char *)q_ - offsetof(T, m)); })
#define for_each(pos, head, m) for (pos = container_of((head)->next, struct task, m); &pos->m != (head); pos = container_of(pos->m.next, struct task, m))
struct link { struct link *next, *prev; };
struct task { int pid; struct link run; int prio; struct link all; };
struct owner { int n; struct link head; };
struct box { int v; int w; };
struct name { int len; struct name *self; };
struct node { int kind; void *data; struct node *next; int (*measure)(const void *); };
struct obj { int tag; struct obj *next; };
struct circle { struct obj o; int r; };
struct square { struct obj o; int side; int more; };
static void *get(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static int of_box(const void *p) { const struct box *b = p; return b->v + b->w; }
static int of_name(const void *p) { return ((const struct name *)p)->self->len; }
static void push(struct node **h, int kind, void *data, int (*measure)(const void *)) {
  struct node *n = get(sizeof *n);
  n->kind = kind; n->data = data; n->measure = measure; n->next = *h; *h = n;
}
static void *pop(struct node **h) {
  struct node *n = *h; void *data;
  if (!n) return NULL;
  data = n->data; *h = n->next; free(n);
  return data;
}
static struct box *box(int v) { struct box *b = get(sizeof *b); b->v = v % 30; b->w = 1; return b; }
static struct name *name(int v) { struct name *m = get(sizeof(struct name)); m->len = v % 20; m->self = m; return m; }
static void add(struct link *e, struct link *h) { e->next = h->next; e->prev = h; h->next->prev = e; h->next = e; }
static void del(struct link *e) { e->next->prev = e->prev; e->prev->next = e->next; }
static struct task *task(int pid) { struct task *t = get(sizeof *t); t->pid = pid % 40; t->prio = pid % 3; return t; }
static struct obj *circle(struct obj *l, int r) { struct circle *c = get(sizeof *c); c->o.tag = 1; c->o.next = l; c->r = r % 9; return &c->o; }
static struct obj *square(struct obj *l, int s) { struct square *q = get(sizeof *q); q->o.tag = 2; q->o.next = l; q->side = s % 7; q->more = 1; return (struct obj *)q; }
static int area(struct obj *o) { return o->tag == 1 ? 3 * ((struct circle *)o)->r : ((struct square *)o)->side + ((struct square *)o)->more; }
";

/// A function of that name.
#[must_use]
pub fn function(seed: u64, name: &str, faulty: bool) -> String {
    let mut g = Generator { rng: Rng::new(seed), out: String::new() };
    let _ = writeln!(g.out, "int {name}(void) {{");
    let lists = g.rng.below(4);
    for line in DECLARATIONS {
        g.line(line);
    }
    let mut statements: Vec<&str> = SAFE.to_vec();
    let one = [
        "t = task(a); add(&t->run, &runq); tasks++;",
        "if (runq.next != &runq) { t = container_of(runq.next, struct task, run); del(&t->run); b += t->pid; free(t); t = NULL; }",
        "for_each(t, &runq, run) b += t->prio; t = NULL;",
    ];
    let owned = [
        "t = task(a); add(&t->run, &own->head); own->n++;",
        "for (q = own->head.next; q != &own->head; q = q->next) b += container_of(q, struct task, run)->pid;",
        "if (own->head.prev != &own->head) { t = container_of(own->head.prev, struct task, run); del(&t->run); free(t); t = NULL; own->n--; }",
    ];
    let both = [
        "t = task(a); add(&t->run, &runq); add(&t->all, &all);",
        "for_each(t, &all, all) b += t->pid; t = NULL;",
        "if (all.next != &all) { t = container_of(all.next, struct task, all); del(&t->run); del(&t->all); free(t); t = NULL; }",
    ];
    let mixed = [
        "t = task(a); add(&t->run, &runq); add(&t->all, &all);",
        "for (q = runq.next; q != &runq; q = q->next) a += container_of(q, struct task, run)->prio; q = all.next; if (q != &all) b += container_of(q, struct task, all)->pid;",
    ];
    statements.extend(match lists {
        0 => &one[..],
        1 => &owned[..],
        2 => &both[..],
        _ => &mixed[..],
    });
    if faulty {
        statements.extend(FAULTY);
        if lists == 0 {
            statements.push("if (b % 5 == 0) a += container_of(&runq, struct task, run)->pid;");
        }
    }
    for _ in 0..8 + g.rng.below(18) {
        let statement = statements[g.rng.below(statements.len())];
        if g.rng.below(4) == 0 {
            let test = CONDITIONS[g.rng.below(CONDITIONS.len())];
            g.line(&format!("if ({test}) {{ {statement} }}"));
        } else {
            g.line(statement);
        }
    }
    for line in DIGEST {
        g.line(line);
    }
    g.out.push_str("}\n");
    g.out
}

const DECLARATIONS: &[&str] = &[
    "int a = 3, b = 5, tasks = 0; struct node *list = NULL, *n = NULL; struct obj *objs = NULL, *o; void *v = NULL;",
    "struct link runq = { &runq, &runq }, all = { &all, &all }, *q; struct task *t = NULL; struct box *x = NULL;",
    "int (*m)(const void *) = of_box; struct owner *own = get(sizeof *own); own->n = 0; own->head.next = own->head.prev = &own->head;",
];

const CONDITIONS: &[&str] =
    &["a % 2 == 0", "b > 7", "list", "objs != NULL", "n == list", "m == of_name", "a < b"];

const SAFE: &[&str] = &[
    "a = (a * 3 + b) % 50;",
    "b = (b * 2 + a + 1) % 50;",
    "push(&list, 0, box(a), of_box);",
    "push(&list, 1, name(b), of_name);",
    "for (n = list; n; n = n->next) a = (a + n->measure(n->data)) % 60; n = list;",
    "v = list ? list->data : NULL; if (v && list->kind == 0) { x = v; a = (a + x->v) % 60; } x = NULL; v = NULL;",
    "v = pop(&list); n = list; free(v); v = NULL;",
    "if (list && list->kind == 1) b = (b + ((struct name *)list->data)->len) % 50;",
    "m = m == of_box ? of_name : of_box;",
    "if (list) { m = list->measure; b = (b + m(list->data)) % 50; }",
    "objs = circle(objs, a);",
    "objs = square(objs, b);",
    "for (o = objs; o; o = o->next) a = (a + area(o)) % 60;",
    "if (objs) { o = objs; objs = o->next; if (o->tag == 2) b = (b + ((struct square *)o)->side) % 50; free(o); }",
];

const FAULTY: &[&str] = &[
    "if (list && a % 3 == 0) { v = list->data; free(v); v = NULL; }",
    "a += list->kind;",
    "if (objs && b % 4 == 0) free(objs);",
    "if (t && a % 2) b += t->prio;",
    "if (b % 3 == 0) { t = task(b); free(&t->all); t = NULL; }",
    "if (a % 5 == 0) { x = box(b); free(x); b += x->v; x = NULL; }",
    "if (a % 7 == 0) b += ((struct box *)pop(&list))->v; n = list;",
];

const DIGEST: &[&str] = &[
    "unsigned r = (unsigned)a + 3u * (unsigned)b + (unsigned)tasks + (unsigned)own->n;",
    "for (n = list; n; n = n->next) r = r * 7u + (unsigned)n->measure(n->data);",
    "for (o = objs; o; o = o->next) r = r * 5u + (unsigned)area(o);",
    "return (int)(r % 99u);",
];

struct Generator {
    rng: Rng,
    out: String,
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }
}
