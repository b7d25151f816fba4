// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: tree_insert: violated
// STATUS: 1
// The same with garbage asked for.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *tree_insert(struct tree *r)
{
  struct tree *x = r, *p = NULL, *t;
  while (x != NULL) {
    p = x;
    if (__VERIFIER_nondet_int()) x = x->left; else x = x->right;
  }
  t = malloc(sizeof *t);
  t->left = t->right = NULL;
  if (p == NULL) return t;
  if (__VERIFIER_nondet_int()) p->left = t; else p->right = t;
  return r;
}
