// RUN: verify --engine vc --timeout 120 %s
// EXPECT: slist_sorted_insert: too-weak
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };

/*@ predicate sorted_list(struct node *h) =
      \forall struct node *u; u \in \cells(next, h, NULL) ==>
        (\forall struct node *v; v \in \cells(next, u, NULL) ==> u->data <= v->data);
@*/

/* Insert the cell n into a list that is sorted by data. */
/*@ requires \list(next, hd);
    requires n != NULL && \valid(n);
    requires !(n \in \cells(next, hd, NULL));
    requires \forall struct node *u; u \in \cells(next, hd, NULL) ==> \valid(u);
    requires sorted_list(hd);
    ensures  \list(next, \result);
    ensures  sorted_list(\result);
    ensures  \cells(next, \result, NULL) == \union(\old(\cells(next, hd, NULL)), {n});
@*/
struct node *slist_sorted_insert(struct node *hd, struct node *n)
{
  if (hd == NULL || n->data <= hd->data) {
    n->next = hd;
    return n;
  }
  struct node *p = hd;
  struct node *c = hd->next;
  /*@ loop invariant \btwn(next, hd, p, NULL) && p != NULL;
      loop invariant p->next == c;
  @*/
  while (c != NULL && c->data < n->data) {
    p = c;
    c = c->next;
  }
  n->next = c;
  p->next = n;
  return hd;
}
