//! Random programs about trees, for paths whose states are summed up: what they prove must not fail on an exact path.
//!
//! Each program builds a tree, changes it and frees it, as programs do: down from the root, by recursion, with a stack, leaf by leaf,
//! up by links to the parent. Each statement is put together from pieces of which some are left out or exchanged, so most programs
//! are nearly right.

use super::csums::check_text;
use crate::util::rng::Rng;

const HEAD: &str = "\
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct p { int x; };
struct m { struct m *l; int v; struct m *r; struct m *up; struct p *own; };
struct s { struct s *next; struct m *node; };
static struct m *make(struct m *up) {
  struct m *t = malloc(sizeof *t);
  t->l = NULL; t->r = NULL; t->v = 0; t->up = up; t->own = NULL;
  return t;
}
static void drop(struct m *t) {
  if (!t) return;
  drop(t->l); drop(t->r); free(t->own); free(t);
}
static int count(struct m *t) { return t ? 1 + count(t->l) + count(t->r) : 0; }
";

/// Ways to go down to a cell `n` of the tree `t`.
const DOWN: [&str; 6] = [
    "n = t; while (n && n->l && n->r) { if (__VERIFIER_nondet_int()) n = n->l; else n = n->r; }",
    "n = t; while (n && n->l && __VERIFIER_nondet_int()) n = n->l;",
    "n = t; while (n && __VERIFIER_nondet_int()) { struct m *k = __VERIFIER_nondet_int() ? n->l : n->r; if (!k) break; n = k; }",
    "n = t; b = NULL; while (n && (n->l || n->r)) { b = n; n = n->l ? n->l : n->r; }",
    "n = t;",
    "while (n && n->up) n = n->up;",
];

/// What is done with a cell `n` that may be null.
const DO: [&str; 18] = [
    "if (n && !n->l) n->l = make(n);",
    "if (n && !n->r) n->r = make(n);",
    "if (n && !n->r) { n->r = make(NULL); n->r->up = n; n->r->own = malloc(sizeof(struct p)); }",
    "if (n && !n->l) { struct m *k = make(n); k->v = 1; n->l = k; }",
    "if (n) n->v = __VERIFIER_nondet_int() ? 1 : 0;",
    "if (n && n->l && n->l->r) { struct m *k = n->l; n->l = k->r; if (k->r) k->r->up = n; k->r = NULL; drop(k); }",
    "if (n && n->l) { struct m *k = n->l; n->l = k->r; k->r = NULL; drop(k); }",
    "if (n && n->r) { struct m *k = n->r; n->r = NULL; drop(k); }",
    "if (n) { struct m *k = n->l; n->l = n->r; n->r = k; }",
    "if (n && n->l) assert(n->l->up == n);",
    "if (n && n->r) assert(n->r->up == n && n->r != t);",
    "if (n) assert(n->v == 0 || n->v == 1);",
    "if (n && !n->own) n->own = malloc(sizeof(struct p));",
    "if (n) { free(n->own); n->own = NULL; }",
    "if (n && n->l && !n->l->r && t == n) { struct m *k = n->l; n->l = NULL; k->r = n; k->up = NULL; n->up = k; t = k; }",
    "if (n && !n->l && !n->r && n->up) { struct m *k = n->up; if (k->l == n) k->l = NULL; else k->r = NULL; free(n->own); free(n); n = k; }",
    "if (b && n && !n->l && !n->r) { if (b->l == n) b->l = NULL; else b->r = NULL; free(n->own); free(n); n = NULL; }",
    "if (count(t) > 3) assert(t->l || t->r);",
];

/// Ways to free the whole tree; `STEP` is what is done in passing.
const FREE: [&str; 5] = [
    "drop(t);",
    "while (t) { b = NULL; n = t; while (n->l || n->r) { b = n; n = n->l ? n->l : n->r; } \
     if (!b) t = NULL; else if (b->l == n) b->l = NULL; else b->r = NULL; free(n->own); free(n); }",
    "if (t) { struct s *st = malloc(sizeof *st); st->next = NULL; st->node = t; \
     while (st) { struct s *o = st; n = o->node; st = o->next; free(o); \
     if (n->l) { o = malloc(sizeof *o); o->next = st; o->node = n->l; st = o; } \
     if (n->r) { o = malloc(sizeof *o); o->next = st; o->node = n->r; st = o; } \
     free(n->own); free(n); } }",
    "n = t; while (n) { if (n->l) n = n->l; else if (n->r) n = n->r; \
     else { b = n->up; if (b) { if (b->l == n) b->l = NULL; else b->r = NULL; } free(n->own); free(n); n = b; } }",
    "while (t) { if (!t->l) { n = t->r; free(t->own); free(t); t = n; } \
     else { n = t->l; t->l = n->r; n->r = t; t = n; } }",
];

/// Pieces that are exchanged to make a program wrong.
const CHANGES: [(&str, &str); 14] = [
    ("t->r = NULL; ", ""),
    ("t->l = NULL; ", ""),
    ("b->l = NULL", "b->r = NULL"),
    ("free(n->own);", ""),
    ("free(t->own);", ""),
    ("n->l && n->r", "n->l || n->r"),
    ("if (!b) t = NULL; else ", "if (!b) t = NULL; "),
    ("o->node = n->r", "o->node = n->l"),
    ("n->r->up = n;", ""),
    ("if (k->r) k->r->up = n;", ""),
    ("k->r = NULL; ", ""),
    ("n->l = NULL; ", ""),
    ("n->own = NULL;", ""),
    ("k->l = NULL", ";"),
];

/// A program.
#[must_use]
pub fn random_text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = HEAD.to_owned();
    text.push_str("int main(void) {\nstruct m *t = NULL, *n = NULL, *b = NULL;\nt = make(NULL);\n");
    let mut body = |most: usize, text: &mut String| {
        for _ in 0..1 + rng.below(most) {
            let down = DOWN[rng.below(DOWN.len())];
            // The tree is built more often than it is changed.
            let act = if rng.one_in(2) { DO[rng.below(4)] } else { DO[rng.below(DO.len())] };
            text.push_str(&format!("{down}\n{act}\n"));
        }
    };
    text.push_str("while (__VERIFIER_nondet_int()) {\n");
    body(3, &mut text);
    text.push_str("}\n");
    body(2, &mut text);
    let mut rng = Rng::new(seed ^ 0x5eed);
    text.push_str(FREE[rng.below(FREE.len())]);
    text.push_str("\nreturn 0;\n}\n");
    for _ in 0..rng.below(3) {
        let (from, to) = CHANGES[rng.below(CHANGES.len())];
        text = text.replacen(from, to, 1);
    }
    text
}

/// The word of what summed paths and exact ones say together.
///
/// # Errors
/// A proof of what fails.
pub fn check_trees(seed: u64) -> Result<&'static str, String> {
    check_text(&random_text(seed), seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proved_of_trees_does_not_fail() {
        let mut counts = [0; 3];
        for seed in 0..120 {
            let word = check_trees(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
            counts[["verified", "violated", "unknown"].iter().position(|w| *w == word).unwrap_or(2)] += 1;
        }
        assert!(counts[0] > 8 && counts[1] > 20, "{counts:?}");
    }
}
