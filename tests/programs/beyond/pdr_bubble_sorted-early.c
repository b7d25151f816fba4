// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: bubble_sorted: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, h) && \sorted(next, d, h, NULL);
@*/
void bubble_sorted(struct node *h)
{
  int swapped = 1;
  while (swapped) {
    struct node *p = h;
    swapped = 0;
    while (p != NULL && p->next != NULL) {
      if (p->d > p->next->d) {
        int t = p->d;
        p->d = p->next->d;
        p->next->d = t;
      }
      p = p->next;
    }
  }
}
