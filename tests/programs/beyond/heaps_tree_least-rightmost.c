// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: bst_min: violated
// STATUS: 1
/* The rightmost key may be larger. */
struct tn { int key; int mark; struct tn *l, *r, *p; };
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
/*@ predicate tree(struct tn *t) =
   (\forall struct tn *u; \list(p, u)) &&
   (\forall struct tn *u; u != NULL && u->l != NULL ==> u->l->p == u) &&
   (\forall struct tn *u; u != NULL && u->r != NULL ==> u->r->p == u) &&
   (\forall struct tn *u; u != NULL && u->p != NULL ==> u->p->l == u || u->p->r == u) &&
   (\forall struct tn *u; u != NULL && u->l != NULL ==> u->l != u->r) &&
   (t != NULL ==> t->p == NULL); @*/

/*@ requires tree(t) && t != NULL;
    requires \forall struct tn *u; u != NULL && u->l != NULL ==> u->l->key <= u->key;
    ensures \result <= t->key; @*/
int bst_min(struct tn *t)
{
  struct tn *c = t;
  while (c->r != NULL) c = c->r;
  return c->key;
}
