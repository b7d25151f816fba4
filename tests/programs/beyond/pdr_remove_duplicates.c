// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: remove_duplicates: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && \sorted(next, d, h, NULL);
    ensures \list(next, h) && \sorted(next, d, h, NULL);
@*/
void remove_duplicates(struct node *h)
{
  struct node *p = h;
  while (p != NULL && p->next != NULL) {
    struct node *q = p->next;
    if (q->d == p->d)
      p->next = q->next;
    else
      p = q;
  }
}
