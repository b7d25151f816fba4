// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: partition: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };
/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/
struct dll *low, *high;
/*@ requires dll(l);
    ensures  dll(low) && dll(high);
@*/
void partition(struct dll *l)
{
  struct dll *x, *t;
  low = NULL;
  high = NULL;
  x = l;
  while (x != NULL) {
    t = x->next;
    x->prev = NULL;
    if (__VERIFIER_nondet_int()) {
      x->next = low;
      if (low != NULL) low->prev = x;
      low = x;
    } else {
      x->next = high;
      if (high != NULL) high->prev = x;
      high = x;
    }
    x = t;
  }
}
