// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: ring_insert_after: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \cyclic(next, h) && e != NULL && !(h -next*-> e);
    ensures \cyclic(next, h) && h -next*-> e;
@*/
void ring_insert_after(struct node *h, struct node *e)
{
  e->next = h->next;
  h->next = e;
}
