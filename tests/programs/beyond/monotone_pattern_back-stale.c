// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: drop_one: violated
// STATUS: 1
/* The neighbour keeps its link to the cell that was freed. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };

/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/

/*@ requires dll(h) && h != NULL;
    ensures  \list(next, h);
    pattern (struct dll *a, *b) h -next*-> a && a->next == b && b->prev != a;
@*/
void drop_one(struct dll *h)
{
  struct dll *x = h, *y;
  while (__VERIFIER_nondet_int() && x->next != NULL)
    x = x->next;
  y = x->next;
  if (y != NULL) {
    x->next = y->next;
    free(y);
  }
}
