// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: partition: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

struct node *odd, *even;

/*@ requires \list(next, h);
    ensures \list(next, odd) && \list(next, even);
@*/
void partition(struct node *h)
{
  odd = NULL;
  even = NULL;
  while (h != NULL) {
    struct node *t = h->next;
    if (h->d) {
      h->next = odd;
      odd = h;
    } else {
      even = h;
      even->next = even;
    }
    h = t;
  }
}
