// RUN: verify --engine vc --timeout 120 %s
// EXPECT: part: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *part(struct node *h, int k)
/*@ requires \list(next, h);
    ensures \list(next, \result) && (\forall struct node *u; u \in \cells(next, \result, NULL) ==> u->d < k); @*/
{
  struct node *lo = NULL, *hi = NULL, *c = h;
  /*@ loop invariant \list(next, lo) && \list(next, hi) && \list(next, c);
      loop invariant \disjoint(\cells(next, lo, NULL), \cells(next, c, NULL)) && \disjoint(\cells(next, hi, NULL), \cells(next, c, NULL)) && \disjoint(\cells(next, lo, NULL), \cells(next, hi, NULL));
      loop invariant \forall struct node *u; u \in \cells(next, lo, NULL) ==> u->d < k; @*/
  while (c != NULL) {
    struct node *n = c->next;
    if (c->d < k) { c->next = lo; lo = c; } else { c->next = hi; hi = c; }
    c = n;
  }
  return hi;
}
