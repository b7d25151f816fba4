//! What is printed reads back as the same formula; broken texts are refused.

use super::{parse_formula, print_formula};
use crate::frontend::c;
use crate::program::{Formula, Program};
use crate::util::rng::Rng;

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
    behavior a: ensures \subset(\pre(next, x), \union({x, y}, \diff(\cells(next, x, NULL), \empty)));
    behavior b: requires x != NULL; ensures \exists struct node *v; v == \old(x->next) && !\freed(v) && !\fresh(v);
@*/
struct node *f(struct node *x, struct node *y)
{
  struct node *c = x;
  int n = 0;
  //@ loop invariant \disjoint(\cells(next, c, NULL), {head}) || n >= 0;
  while (c != NULL && n < 10) { c = c->next; n++; }
  return x;
}
";

fn program() -> Program {
    let mut unit = c::load("annotated.c", ANNOTATED.as_bytes(), &c::Options::default());
    unit.functions.remove(0).program.unwrap_or_else(|d| panic!("{d:?}"))
}

fn formulas(program: &Program) -> Vec<&Formula> {
    let contracts = program.contracts.iter().flat_map(|c| c.requires.iter().chain(&c.ensures));
    let clauses = contracts.chain(program.loops.iter().flat_map(|l| &l.invariants));
    clauses.map(|clause| &clause.formula).collect()
}

#[test]
fn formulas_read_back() {
    let program = program();
    let formulas = formulas(&program);
    assert!(formulas.len() >= 9);
    for formula in formulas {
        let text = print_formula(&program, formula);
        assert_eq!(parse_formula(&program, &text).as_ref(), Ok(formula), "{text}");
    }
}

#[test]
fn broken_texts_are_refused() {
    let program = program();
    let mut rng = Rng::new(7);
    for formula in formulas(&program) {
        let text = print_formula(&program, formula);
        for _ in 0..200 {
            // Cut, doubled or changed somewhere: an error or another formula, never a panic.
            let at = rng.below(text.len());
            let broken = match rng.below(3) {
                0 => text[..at].to_owned(),
                1 => format!("{}{}", &text[..at], &text[at.saturating_sub(9)..]),
                _ => format!("{}{}{}", &text[..at], ["(", ")", "9", "x", "\""][rng.below(5)], &text[at..]),
            };
            if let Ok(other) = parse_formula(&program, &broken) {
                let text = print_formula(&program, &other);
                assert_eq!(parse_formula(&program, &text), Ok(other));
            }
        }
    }
    for bad in ["", "(", ")", "(and", "(and) y", "(no-such)"] {
        assert!(parse_formula(&program, bad).is_err(), "{bad}");
    }
    assert!(parse_formula(&program, &"(".repeat(100_000)).is_err());
}
