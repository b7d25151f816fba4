// RUN: verify --engine monotone --timeout 120 %s
// EXPECT: split: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; int val; };

struct node *odd;
/*@ requires \list(next, h);
    ensures \list(next, \result) && \list(next, odd);
    ensures \disjoint(\cells(next, \result, NULL), \cells(next, odd, NULL)); @*/
struct node *split(struct node *h) {
  struct node *a = NULL; odd = NULL;
  int flip = 0;
  /*@ loop invariant \list(next, h) && \list(next, a) && \list(next, odd);
      loop invariant \disjoint(\cells(next, h, NULL), \cells(next, a, NULL));
      loop invariant \disjoint(\cells(next, h, NULL), \cells(next, odd, NULL));
      loop invariant \disjoint(\cells(next, a, NULL), \cells(next, odd, NULL)); @*/
  while (h) {
    struct node *t = h->next;
    if (flip) { h->next = a; a = h; } else { h->next = odd; odd = h; }
    flip = !flip;
    h = t;
  }
  return a;
}
