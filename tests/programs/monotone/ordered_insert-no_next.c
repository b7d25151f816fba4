// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: ordered_insert: violated
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
struct dll *ordered_insert(struct dll *l)
{
  struct dll *t = malloc(sizeof *t), *p = NULL, *x = l;
  t->next = NULL;
  t->prev = NULL;
  while (x != NULL && __VERIFIER_nondet_int()) {
    p = x;
    x = x->next;
  }
  t->next = x;
  t->prev = p;
  if (x != NULL)
    x->prev = t;
  if (p != NULL)
    ;
  else
    l = t;
  return l;
}
