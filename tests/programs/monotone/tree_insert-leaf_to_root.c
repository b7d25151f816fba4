// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: tree_insert: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *tree_insert(struct tree *r)
{
  struct tree *x, *p, *t;
  if (r == NULL) {
    r = malloc(sizeof *r);
    r->left = NULL;
    r->right = NULL;
    return r;
  }
  x = r;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      p = x->left;
      if (p == NULL) {
        t = malloc(sizeof *t);
        t->left = r;
        t->right = NULL;
        x->left = t;
        return r;
      }
    } else {
      p = x->right;
      if (p == NULL) {
        t = malloc(sizeof *t);
        t->left = t->right = NULL;
        x->right = t;
        return r;
      }
    }
    x = p;
  }
  return r;
}
