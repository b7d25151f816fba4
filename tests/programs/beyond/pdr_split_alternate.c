// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: split_alternate: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *odd, *even;

/*@ requires \list(next, h);
    ensures \list(next, odd) && \list(next, even);
    ensures \disjoint(\cells(next, odd, NULL), \cells(next, even, NULL));
@*/
void split_alternate(struct node *h)
{
  int turn = 0;
  odd = NULL;
  even = NULL;
  while (h != NULL) {
    struct node *t = h->next;
    if (turn == 0) {
      h->next = odd;
      odd = h;
      turn = 1;
    } else {
      h->next = even;
      even = h;
      turn = 0;
    }
    h = t;
  }
}
