// RUN: verify --engine vc --timeout 120 %s
// EXPECT: reverse: verified
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *reverse(struct node *h)
/*@ requires \list(next, h);
    ensures \list(next, \result) && \cells(next, \result, NULL) == \old(\cells(next, h, NULL)); @*/
{
  struct node *r = NULL, *c = h;
  /*@ loop invariant \list(next, r) && \list(next, c) && \disjoint(\cells(next, r, NULL), \cells(next, c, NULL));
      loop invariant \union(\cells(next, r, NULL), \cells(next, c, NULL)) == \old(\cells(next, h, NULL)); @*/
  while (c != NULL) { struct node *n = c->next; c->next = r; r = c; c = n; }
  return r;
}
