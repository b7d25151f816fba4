// RUN: verify --engine vc --timeout 120 %s
// EXPECT: find: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *find(struct node *h, int k)
/*@ requires \list(next, h);
    assigns \nothing;
    ensures \result != NULL ==> \result->d == k && \old(h) -next*-> \result;
    ensures \result == NULL ==> (\forall struct node *u; u \in \cells(next, h, NULL) ==> u->d != k); @*/
{
  struct node *c = h;
  /*@ loop invariant h -next*-> c && \list(next, c);
      loop invariant \forall struct node *u; u \in \cells(next, h, c) ==> u->d != k; @*/
  while (c != NULL && c->d != k) c = NULL;
  return c;
}
