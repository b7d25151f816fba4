// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: rot: violated
// STATUS: 1
/* The last cell is linked to from both ends. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int
struct dll { struct dll *next, *prev; };
/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/
/*@ requires dll(l); ensures dll(\result); @*/
struct dll *rot(struct dll *l) {
  struct dll *x = l;
  if (l == NULL || l->next == NULL) return l;
  while (x->next != NULL) x = x->next;
  x->prev = NULL; x->next = l; l->prev = x;
  return x;
}
