// RUN: verify --engine vc --timeout 120 %s
// EXPECT: reverse: verified
#include <stdlib.h>
struct node { int data; struct node *next; };

/*@ requires \list(next, x);
    assigns  \cells(next, x, NULL)->next;
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \old(\cells(next, x, NULL));
    ensures  \forall struct node *u, *v;
               u \in \cells(next, \result, NULL) && v \in \cells(next, \result, NULL)
               ==> (u -next*-> v <==> \old(v -next*-> u));
@*/
struct node *reverse(struct node *x)
{
  struct node *y = NULL;
  /*@ loop invariant \list(next, x) && \list(next, y);
      loop invariant \disjoint(\cells(next, x, NULL), \cells(next, y, NULL));
      loop invariant \union(\cells(next, x, NULL), \cells(next, y, NULL)) == \old(\cells(next, x, NULL));
      loop invariant \forall struct node *u, *v;
        (u \in \cells(next, y, NULL) && v \in \cells(next, y, NULL) ==> (u -next*-> v <==> \old(v -next*-> u))) &&
        (u \in \cells(next, x, NULL) && v \in \cells(next, x, NULL) ==> (u -next*-> v <==> \old(u -next*-> v))) &&
        (u \in \cells(next, y, NULL) && v \in \cells(next, x, NULL) ==> \old(u -next*-> v) && !\old(v -next*-> u));
  @*/
  while (x != NULL) {
    struct node *t = x->next;
    x->next = y;
    y = x;
    x = t;
  }
  return y;
}
