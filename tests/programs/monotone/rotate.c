// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: rotate: verified
// Correct: must not be reported.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *rotate(struct tree *r)
{
  struct tree *x;
  if (r == NULL) return r;
  x = r->left;
  if (x == NULL) return r;
  r->left = x->right;
  x->right = r;
  return x;
}
