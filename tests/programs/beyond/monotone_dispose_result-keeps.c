// RUN: verify --engine monotone --check memsafety,asserts,ensures,garbage --timeout 120 %s
// EXPECT: dispose: violated
// STATUS: 1
/* Nothing is left, and the result says so. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dll { struct dll *next, *prev; };
/*@ requires \exists struct dll *e; \dlseg(next, prev, l, NULL, NULL, e);
    ensures  \result == NULL;
@*/
struct dll *dispose(struct dll *l)
{
  struct dll *n;
  while (l != NULL) {
    n = l->next;
    l = n;
  }
  return l;
}
