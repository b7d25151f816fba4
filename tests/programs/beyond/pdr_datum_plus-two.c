// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: almost_sorted: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { struct node *next; int d; };

/*@ requires h != NULL && \list(next, h);
@*/
void almost_sorted(struct node *h)
{
  while (h->next != NULL) {
    if (h->d > h->next->d + 1)
      return;
    h = h->next->next;
  }
}
