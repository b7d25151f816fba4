// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: ring_close: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures \cyclic(next, h);
@*/
void ring_close(struct node *h)
{
  struct node *p = h;
  while (p->next != NULL)
    p = p->next;
  p->next = NULL;
}
