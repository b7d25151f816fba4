// RUN: verify --engine vc --timeout 120 %s
// EXPECT: copy: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *copy(struct node *h)
/*@ requires \list(next, h);
    ensures \list(next, \result) && \list(next, h) && \disjoint(\cells(next, \result, NULL), \cells(next, h, NULL));
    ensures \cells(next, h, NULL) == \old(\cells(next, h, NULL)); @*/
{
  struct node *r = NULL, *c = h;
  /*@ loop invariant \list(next, r) && \list(next, h) && h -next*-> c;
      loop invariant \cells(next, h, NULL) == \old(\cells(next, h, NULL)) && \stable(next, h) && \stable(next, r);
      loop invariant \disjoint(\cells(next, r, NULL), \cells(next, h, NULL)); @*/
  while (c != NULL) {
    struct node *n = malloc(sizeof *n);
    n->d = c->d; n->next = c; r = n; c = c->next;
  }
  return r;
}
