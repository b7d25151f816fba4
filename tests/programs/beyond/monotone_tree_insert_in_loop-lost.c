// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: insert: violated
// STATUS: 1
/* The new leaf is there before the walk, which looks at both children. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };
/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
@*/
struct tree *insert(struct tree *r)
{
  struct tree *t = malloc(sizeof *t), *x = r;
  t->left = NULL;
  t->right = NULL;
  if (r == NULL) return t;
  for (;;) {
    if (__VERIFIER_nondet_int()) {
      if (x->left == NULL) { x->left = t; return r; }
      x = x->left;
    } else {
      if (x->right == NULL) { return r; }
      x = x->right;
    }
  }
}
