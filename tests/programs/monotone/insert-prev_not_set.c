// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: insert: violated
// STATUS: 1
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
struct dll *insert(struct dll *l)
{
  struct dll *t = malloc(sizeof *t);
  t->next = l;
  if (l != NULL)
    l->prev = t;
  l = t;
  return l;
}
