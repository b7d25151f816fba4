// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: partition_less: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *low, *high;

/*@ requires \list(next, h);
    ensures \list(next, low) && \list(next, high);
    ensures \forall struct node *u; u \in \cells(next, low, NULL) ==> u->d < k;
    ensures \forall struct node *u; u \in \cells(next, high, NULL) ==> u->d >= k;
@*/
void partition_less(struct node *h, int k)
{
  low = NULL;
  high = NULL;
  while (h != NULL) {
    struct node *t = h->next;
    if (h->d <= k) {
      h->next = low;
      low = h;
    } else {
      h->next = high;
      high = h;
    }
    h = t;
  }
}
