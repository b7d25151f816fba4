// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: tree_insert: verified
// Allocates before the walk.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *tree_insert(struct tree *r)
{
  struct tree *p, *x, *t = malloc(sizeof *t);
  t->left = t->right = NULL;
  if (r == NULL) return t;
  p = r;
  while (1) {
    if (__VERIFIER_nondet_int()) {
      x = p->left;
      if (x == NULL) { p->left = t; return r; }
    } else {
      x = p->right;
      if (x == NULL) { p->right = t; return r; }
    }
    p = x;
  }
}
