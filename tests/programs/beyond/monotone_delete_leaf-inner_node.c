// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: delete_leaf: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

/*@ requires \tree(left, right, r);
    ensures  \tree(left, right, \result);
    ensures  \result == NULL || \valid(\result);
@*/
struct tree *delete_leaf(struct tree *r)
{
  struct tree *p, *x;
  if (r == NULL)
    return r;
  p = r;
  while (__VERIFIER_nondet_int()) {
    x = p->left;
    if (x != NULL) {
      if (x->left == NULL) {
        p->left = NULL;
        free(x);
        return r;
      }
      p = x;
    }
  }
  return r;
}
