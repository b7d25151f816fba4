// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: last_two: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL && h->next != NULL;
    ensures \result != NULL && \result->next != NULL && \result->next->next == NULL;
@*/
struct node *last_two(struct node *h)
{
  while (h->next->next != NULL)
    h = h->next->next;
  return h;
}
