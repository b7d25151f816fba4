// RUN: verify --engine vc --timeout 120 %s
// EXPECT: sfind: verified
#include <stdlib.h>
struct node { struct node *next; int d; };
int sfind(struct node *s, int k)
/*@ requires \valid(s) && \cyclic(next, s);
    ensures \result == 1 ==> (\exists struct node *u; s -next*-> u && u != s && u->d == k);
    ensures \result == 0 ==> (\forall struct node *u; s -next*-> u && u != s && u != NULL ==> u->d != k); @*/
{
  struct node *c = s->next;
  /*@ loop invariant \cyclic(next, s) && s -next*-> c && \valid(c);
      loop invariant \forall struct node *u; u \in \cells(next, s->next, c) ==> u->d != k; @*/
  while (c != s) { if (c->d == k) return 1; c = c->next; }
  return 0;
}
