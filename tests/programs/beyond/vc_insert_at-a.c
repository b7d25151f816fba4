// RUN: verify --engine vc --timeout 120 %s
// EXPECT: insat: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *insat(struct node *h, struct node *e, int pos)
/*@ requires \valid(e) && h != NULL && \list(next, h) && !(h -next*-> e) && pos >= 0;
    ensures \list(next, \result) && \result == \old(h) && \result -next*-> e; @*/
{
  struct node *c = h; int i = 0;
  /*@ loop invariant c != NULL && h -next*-> c && \list(next, h) && !(h -next*-> e) && 0 <= i; @*/
  while ( i < pos) { c = c->next; i++; }
  e->next = c->next; c->next = e;
  return h;
}
