// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: merge: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };

/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/

/*@ requires dll(x) && dll(y);
    requires \disjoint(\cells(next, x, NULL), \cells(next, y, NULL));
    ensures  dll(\result);
@*/
struct dll *merge(struct dll *x, struct dll *y)
{
  struct dll *t, *u, *r;
  if (x == NULL) return y;
  if (y == NULL) return x;
  if (__VERIFIER_nondet_int()) { r = x; x = x->next; } else { r = y; y = y->next; }
  r->prev = NULL;
  u = r;
  while (x != NULL || y != NULL) {
    if (__VERIFIER_nondet_int()) { t = x; x = t->next; } else { t = y; y = t->next; }
    t->prev = u;
    u->next = t;
    u = t;
  }
  if (x != NULL) {
    u->next = x;
    x->prev = u;
  } else {
    u->next = y;
    if (y != NULL) y->prev = u;
  }
  return r;
}
