// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: last: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct dn { struct dn *next; struct dn *prev; int val; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, l) && h != NULL;
    ensures \result == l; @*/
struct dn *last(struct dn *h, struct dn *l) {
  while (h->next) h = h->next;
  return h;
}
