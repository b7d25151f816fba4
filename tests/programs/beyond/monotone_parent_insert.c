// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: insert: verified
/* A leaf is hung into a tree with pointers to parents. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right, *up; };

/*@ predicate with_parents(struct tree *t) =
      \tree(left, right, t) && (t != NULL ==> t->up == NULL) &&
      (\forall struct tree *z; z != NULL && z->left != NULL ==> z->left->up == z) &&
      (\forall struct tree *z; z != NULL && z->right != NULL ==> z->right->up == z);
@*/

/*@ requires with_parents(t);
    ensures  \tree(left, right, \result);
    ensures  \result != NULL ==> \result->up == NULL;
@*/
struct tree *insert(struct tree *t)
{
  struct tree *c = t, *p = NULL, *x = malloc(sizeof *x);
  int side = 0;
  x->left = NULL;
  x->right = NULL;
  while (c != NULL) {
    p = c;
    side = __VERIFIER_nondet_int();
    if (side) c = c->left; else c = c->right;
  }
  x->up = p;
  if (p == NULL) return x;
  if (p->left == NULL) p->left = x; else if (p->right == NULL) p->right = x; else free(x);
  return t;
}
