// RUN: verify --engine vc --timeout 120 %s
// EXPECT: reverse_acyclic: too-weak
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Reverse in place; the cells stay the same. */
/*@ requires \list(next, hd);
    requires \forall struct node *u; u \in \cells(next, hd, NULL) ==> \valid(u);
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \old(\cells(next, hd, NULL));
@*/
struct node *reverse_acyclic(struct node *hd)
{
  struct node *prv = NULL;
  struct node *cur = hd;
  while (cur != NULL) {
    struct node *t = cur->next;
    cur->next = prv;
    prv = cur;
    cur = t;
  }
  return prv;
}
