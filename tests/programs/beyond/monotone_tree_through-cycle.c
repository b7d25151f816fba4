// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: f: violated
// STATUS: 1
/* A cycle through a cell that the contract names. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };
/*@ requires \tree(left, right, r) && \valid(x);
    ensures  x != NULL ==> \tree(left, right, r);
@*/
void f(struct tree *r, struct tree *x)
{
  struct tree *m = r;
  if (r != NULL && r != x) {
    r->left = x;
    x->left = r;
  }
}
