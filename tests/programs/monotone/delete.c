// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: delete: verified
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
struct dll *delete(struct dll *l)
{
  struct dll *x = l, *p, *n;
  while (x != NULL && __VERIFIER_nondet_int())
    x = x->next;
  if (x == NULL) return l;
  p = x->prev;
  n = x->next;
  if (n != NULL)
    n->prev = p;
  if (p != NULL)
    p->next = n;
  else
    l = n;
  free(x);
  return l;
}
