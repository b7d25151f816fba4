// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: create: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };

/*@ predicate dll(struct dll *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dll *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/

/*@ ensures dll(\result);
@*/
struct dll *create(void)
{
  struct dll *l = NULL;
  while (__VERIFIER_nondet_int()) {
    struct dll *t = malloc(sizeof *t);
    t->next = l;
    t->prev = NULL;
    l = t;
  }
  return l;
}
