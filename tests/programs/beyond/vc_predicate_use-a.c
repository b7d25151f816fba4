// RUN: verify --engine vc --timeout 120 %s
// EXPECT: clampall: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
/*@ predicate seg(struct node *a, struct node *b) = a -next*-> b && a != NULL; @*/
/*@ predicate bounded(struct node *a, int k) = \forall struct node *u; u \in \cells(next, a, NULL) ==> u->d <= k; @*/
void clampall(struct node *h, int k)
/*@ requires h != NULL && \list(next, h); ensures bounded(h, k) && seg(h, NULL); @*/
{
  struct node *c = h;
  /*@ loop invariant seg(h, c) && \list(next, c);
      loop invariant \forall struct node *u; u \in \cells(next, h, c) ==> u->d <= k; @*/
  while (c) { if (c->d > k) c->d = k + 1; c = c->next; }
}
