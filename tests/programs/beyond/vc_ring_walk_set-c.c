// RUN: verify --engine vc --timeout 120 %s
// EXPECT: rset: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
void rset(struct node *r, int k)
/*@ requires \valid(r) && \cyclic(next, r);
    ensures \forall struct node *u; r -next*-> u && u != NULL ==> u->d == k; @*/
{
  struct node *c = r;
  r->d = k;
  /*@ loop invariant \cyclic(next, r) && r -next*-> c && r->d == k && \valid(c) && \valid(r);
      loop invariant \forall struct node *u; u \in \cells(next, r->next, c) ==> u->d == k; @*/
  while (c != r) { c->d = k; c = c->next; }
}
