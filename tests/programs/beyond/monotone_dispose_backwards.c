// RUN: verify --engine monotone --check memsafety,asserts,ensures,leaks --timeout 120 %s
// EXPECT: destroy: verified
/* Cells are freed from the last to the first. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define nondet __VERIFIER_nondet_int
struct dll { struct dll *next, *prev; };
/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/
/*@ requires dll(l); ensures \true; @*/
void destroy(struct dll *l) {
  struct dll *x = l, *t;
  if (x == NULL) return;
  while (x->next != NULL) x = x->next;
  while (x != NULL) { t = x->prev; free(x); x = t; }
}
