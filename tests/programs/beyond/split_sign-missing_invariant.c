// RUN: verify --engine vc --timeout 120 %s
// EXPECT: split_sign: too-weak
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Cells with a negative value move to a second list, the others to a first one. */
/*@ requires \list(next, l);
    requires \valid(pos) && \valid(neg) && pos != neg;
    requires pos->next == NULL && neg->next == NULL;
    requires !(pos \in \cells(next, l, NULL)) && !(neg \in \cells(next, l, NULL));
    ensures  \list(next, pos) && \list(next, neg);
    ensures  \forall struct node *u; u \in \cells(next, pos->next, NULL) ==> u->data >= 0;
    ensures  \forall struct node *u; u \in \cells(next, neg->next, NULL) ==> u->data < 0;
    ensures  \union(\cells(next, pos->next, NULL), \cells(next, neg->next, NULL)) == \old(\cells(next, l, NULL));
@*/
void split_sign(struct node *l, struct node *pos, struct node *neg)
{
  /*@ loop invariant \list(next, l) && \list(next, pos) && \list(next, neg);
      loop invariant \forall struct node *u; u \in \cells(next, pos->next, NULL) ==> u->data >= 0;
      loop invariant \forall struct node *u; u \in \cells(next, neg->next, NULL) ==> u->data < 0;
      loop invariant \union(\cells(next, l, NULL), \cells(next, pos->next, NULL), \cells(next, neg->next, NULL)) == \old(\cells(next, l, NULL));
  @*/
  while (l != NULL) {
    struct node *t = l->next;
    if (l->data < 0) {
      l->next = neg->next;
      neg->next = l;
    } else {
      l->next = pos->next;
      pos->next = l;
    }
    l = t;
  }
}
