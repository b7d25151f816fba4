// RUN: verify --engine vc --timeout 120 %s
// EXPECT: maxk: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
int maxk(struct node *h)
/*@ requires h != NULL && \list(next, h);
    assigns \nothing;
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d <= \result;
    ensures \exists struct node *u; u \in \cells(next, h, NULL) && u->d == \result; @*/
{
  int m = 0; struct node *c = h->next, *w = h;
  /*@ loop invariant h -next*-> c && \list(next, c) && h -next*-> w && w != NULL && w->d == m;
      loop invariant \forall struct node *u; u \in \cells(next, h, c) ==> u->d <= m;
      loop invariant h -next+-> c; @*/
  while (c != NULL) { if (c->d > m) { m = c->d; w = c; } c = c->next; }
  return m;
}
