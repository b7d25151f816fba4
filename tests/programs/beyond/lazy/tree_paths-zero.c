// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The root holds 0. */
struct tree { int k; struct tree *l, *r; };

int main(void)
{
  struct tree *root = NULL, *at, *leaf;
  while (__VERIFIER_nondet_int()) {
    leaf = malloc(sizeof *leaf);
    leaf->k = root ? 1 : 0;
    leaf->l = leaf->r = NULL;
    if (!root) {
      root = leaf;
      continue;
    }
    at = root;
    for (;;) {
      if (__VERIFIER_nondet_int()) {
        if (!at->l) { at->l = leaf; break; }
        at = at->l;
      } else {
        if (!at->r) { at->r = leaf; break; }
        at = at->r;
      }
    }
  }
  at = root;
  while (at) {
    if (at->k != 1) reach_error();
    at = __VERIFIER_nondet_int() ? at->l : at->r;
  }
  return 0;
}
