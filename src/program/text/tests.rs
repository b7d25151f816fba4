//! What is printed reads back as the same program; broken texts are refused.

use super::{parse, print};
use crate::frontend::c;
use crate::program::Program;
use crate::program::samples::reverse;
use crate::testing::cprograms;
use crate::util::rng::Rng;

fn round_trip(program: &Program) {
    let text = print(program);
    assert_eq!(parse(&text).as_ref(), Ok(program), "{text}");
    assert_eq!(print(&parse(&text).unwrap()), text);
}

/// A function that uses the whole language of annotations.
const ANNOTATED: &str = r"
#include <stdlib.h>
struct node { int key; struct node *next; struct node *prev; /*@ ghost struct node *father; @*/ };
struct node *head; int table[4];
/*@ logic struct node *u;
    requires \list(next, x) && \sorted(next, key, x, NULL) && u \in \cells(next, x, NULL);
    requires \unshared(next, x, NULL) || \inverse(next, prev, x, NULL) || \stable(next, x);
    requires \dlseg(next, prev, x, NULL, NULL, y) ==> \btwn(next, x, y, NULL);
    requires \tree(next, prev, x) <==> !(x -next+-> x);
    requires \valid(table + (0..3)) && \forall int k; 0 <= k && k < 4 ==> table[k] >= -1;
    assigns head, \cells(next, x, NULL)->next, x->key, table[0..2];
    behavior a: ensures \subset(\pre(next, x), \union({x, y}, \diff(\cells(next, x, NULL), \empty)));
    behavior b: requires x != NULL; ensures \exists struct node *v; v == \old(x->next) && !\freed(v) && !\fresh(v);
@*/
struct node *f(struct node *x, struct node *y)
{
  struct node *c = x;
  int n = 0;
  //@ loop invariant \disjoint(\cells(next, c, NULL), {head}) || n >= 0;
  //@ loop assigns c, n;
  while (c != NULL && n < 10) { c = c->next; n++; }
  L: table[n % 4] = n;
  //@ assert \at(n, L) == n;
  struct node *m = malloc(sizeof *m);
  free(m);
  return x;
}
";

#[test]
fn programs_read_back() {
    round_trip(&reverse());
    for seed in 0..40 {
        let text = format!("{}{}", cprograms::PRELUDE, cprograms::function(seed, "main", seed % 2 == 0));
        let unit = c::load("generated.c", text.as_bytes(), &c::Options::default());
        for function in &unit.functions {
            round_trip(function.program.as_ref().unwrap_or_else(|d| panic!("{d:?}")));
        }
    }
    let unit = c::load("annotated.c", ANNOTATED.as_bytes(), &c::Options::default());
    let program = unit.functions[0].program.as_ref().unwrap_or_else(|d| panic!("{d:?}"));
    round_trip(program);
}

#[test]
fn broken_texts_are_refused() {
    let text = print(&reverse());
    let mut rng = Rng::new(7);
    for _ in 0..2_000 {
        // Cut, doubled or changed somewhere: an error or another program, never a panic.
        let at = rng.below(text.len());
        let broken = match rng.below(3) {
            0 => text[..at].to_owned(),
            1 => format!("{}{}", &text[..at], &text[at.saturating_sub(9)..]),
            _ => format!("{}{}{}", &text[..at], ["(", ")", "9", "x", "\""][rng.below(5)], &text[at..]),
        };
        if let Ok(program) = parse(&broken) {
            program.validate().unwrap();
        }
    }
    for bad in ["", "(", ")", "x", "(program)", "(program f function 0 0 (graph 2 0 1 0)) y"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
    let deep = "(".repeat(100_000);
    assert!(parse(&deep).is_err());
}
