// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: filter: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };

/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/

/*@ requires dll(l);
    ensures  dll(\result);
@*/
struct dll *filter(struct dll *l)
{
  struct dll *x = l, *p, *n;
  while (x != NULL) {
    n = x->next;
    if (__VERIFIER_nondet_int()) {
      p = x->prev;
      if (n != NULL) n->prev = p;
      if (p != NULL) p->next = n; else l = n;
      free(x);
    }
    x = n;
  }
  return l;
}
