// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: append: verified
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
struct dll *append(struct dll *l)
{
  struct dll *x = l, *t = malloc(sizeof *t);
  t->next = NULL;
  t->prev = NULL;
  if (l == NULL)
    return t;
  while (x->next != NULL)
    x = x->next;
  x->next = t;
  t->prev = x;
  return l;
}
