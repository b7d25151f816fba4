// RUN: verify --engine vc --timeout 120 %s
// EXPECT: freeall: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
void freeall(struct node *h)
/*@ requires \list(next, h);
    ensures \forall struct node *u; u \in \old(\cells(next, h, NULL)) ==> \freed(u); @*/
{
  /*@ loop invariant \list(next, h) && \stable(next, h);
      loop invariant \cells(next, h, NULL) \subset \old(\cells(next, h, NULL));
      loop invariant \forall struct node *u; u \in \old(\cells(next, h, NULL)) ==> \freed(u) || u \in \cells(next, h, NULL); @*/
  while (h != NULL) { free(h); h = h->next; }
}
