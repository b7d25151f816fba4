// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: climb: violated
// STATUS: 1
/* One step beyond the root. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right, *up; };

/*@ predicate with_parents(struct tree *t) =
      \tree(left, right, t) && (t != NULL ==> t->up == NULL) &&
      (\forall struct tree *z; z != NULL && z->left != NULL ==> z->left->up == z) &&
      (\forall struct tree *z; z != NULL && z->right != NULL ==> z->right->up == z);
@*/

/*@ requires with_parents(t) && t != NULL; ensures \result == t; @*/
struct tree *climb(struct tree *t)
{
  struct tree *c = t;
  while (c->left != NULL) c = c->left;
  while (c->up->up != NULL) c = c->up;
  return c;
}
