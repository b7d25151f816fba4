// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: search: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *search(struct tree *r)
{
  struct tree *x = r;
  while (x != NULL && __VERIFIER_nondet_int()) {
    x->right = x->left;
    if (__VERIFIER_nondet_int())
      x = x->left;
    else
      x = x->right;
  }
  return r;
}
