// RUN: verify --engine vc --timeout 120 %s
// EXPECT: reverse_acyclic: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Reverse in place; the cells stay the same. */
/*@ requires \forall struct node *u; u \in \cells(next, hd, NULL) ==> \valid(u);
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \old(\cells(next, hd, NULL));
@*/
struct node *reverse_acyclic(struct node *hd)
{
  struct node *prv = NULL;
  struct node *cur = hd;
  /*@ loop invariant \list(next, cur);
      loop invariant \list(next, prv);
      loop invariant \disjoint(\cells(next, cur, NULL), \cells(next, prv, NULL));
      loop invariant \union(\cells(next, cur, NULL), \cells(next, prv, NULL)) == \old(\cells(next, hd, NULL));
  @*/
  while (cur != NULL) {
    struct node *t = cur->next;
    cur->next = prv;
    prv = cur;
    cur = t;
  }
  return prv;
}
