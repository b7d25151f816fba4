// RUN: verify --engine vc --timeout 120 %s
// EXPECT: ring_clear: verified
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Free all cells of a ring but its sentinel. */
/*@ requires \valid(s) && \cyclic(next, s);
    ensures  s->next == s && \valid(s);
    ensures  \forall struct node *u; u \in \old(\cells(next, s->next, s)) ==> \freed(u);
@*/
void ring_clear(struct node *s)
{
  struct node *c = s->next;
  /*@ loop invariant \btwn(next, s->next, c, s) && \valid(s);
      loop invariant \forall struct node *u; u \in \cells(next, c, s) ==> \valid(u);
      loop invariant \forall struct node *u; u \in \cells(next, s->next, c) ==> \freed(u);
  @*/
  while (c != s) {
    struct node *t = c->next;
    free(c);
    c = t;
  }
  s->next = s;
}
