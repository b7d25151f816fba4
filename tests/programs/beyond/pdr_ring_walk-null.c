// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: ring_walk: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires h != NULL;
    ensures \cyclic(next, h);
@*/
void ring_walk(struct node *h)
{
  struct node *p = h->next;
  while (p != h)
    p = p->next;
}
