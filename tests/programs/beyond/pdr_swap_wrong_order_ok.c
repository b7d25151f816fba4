// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: swap_wrong_order_ok: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL && h->next != NULL;
    ensures \list(next, \result) && \result->next == h;
@*/
struct node *swap_wrong_order_ok(struct node *h)
{
  struct node *s = h->next, *t = s->next;
  s->next = h;
  h->next = t;
  return s;
}
