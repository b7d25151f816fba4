// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: last_but_one: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL && h->next != NULL;
    ensures h -next*-> \result && \result != NULL && \result->next != NULL && \result->next->next == NULL;
@*/
struct node *last_but_one(struct node *h)
{
  struct node *p = h;
  while (p->next != NULL)
    p = p->next;
  return p;
}
