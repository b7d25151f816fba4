// RUN: verify --engine vc --timeout 120 %s
// EXPECT: slist_add: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Push a new cell that carries d at the front of a list. */
/*@ requires \list(next, hd);
    requires \forall struct node *u; u \in \cells(next, hd, NULL) ==> \valid(u);
    ensures  \list(next, \result);
    ensures  \forall struct node *u; u \in \cells(next, \result, NULL) ==> \valid(u);
    ensures  \result != NULL && \result->data == d;
    ensures  \cells(next, \result, NULL) == \union(\old(\cells(next, hd, NULL)), {\result});
    ensures  !(\result \in \old(\cells(next, hd, NULL)));
@*/
struct node *slist_add(struct node *hd, int d)
{
  struct node *n = malloc(sizeof(struct node));
  n->next = hd;
  return n;
}
