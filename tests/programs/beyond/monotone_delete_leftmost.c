// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: delete_left_leaf: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };
/*@ requires \tree(left, right, r);
    ensures \tree(left, right, \result);
@*/
struct tree *delete_left_leaf(struct tree *r)
{
  struct tree *x = r, *p = NULL;
  if (r == NULL) return NULL;
  while (x->left != NULL) { p = x; x = x->left; }
  if (p == NULL) return r;
  p->left = x->right;
  free(x);
  return r;
}
