// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: depth: verified
/* Steps to the root: none are taken only where the parameter is one. */
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

/*@ requires tree(t) && x != NULL;
    ensures \result >= 0;
    ensures \result == 0 ==> x->p == NULL; @*/
int depth(struct tn *t, struct tn *x)
{
  int d = 0;
  while (x->p != NULL) { x = x->p; d++; }
  return d;
}
