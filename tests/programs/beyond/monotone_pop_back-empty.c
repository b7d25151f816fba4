// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: pop_back: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };
/*@ requires \dlseg(next, prev, h, NULL, NULL, t) ;
    ensures  \list(next, \result);
@*/
struct dll *pop_back(struct dll *h, struct dll *t)
{
  struct dll *p;
  p = t->prev;
  if (p == NULL) { free(t); return NULL; }
  p->next = NULL;
  free(t);
  return h;
}
