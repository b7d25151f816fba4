// RUN: verify --engine vc --timeout 120 %s
// EXPECT: sorted_merge: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Merge two sorted lists; the cells stay the same. */
/*@ requires \list(next, a) && \list(next, b);
    requires \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    requires \sorted(next, data, a, NULL) && \sorted(next, data, b, NULL);
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \old(\union(\cells(next, a, NULL), \cells(next, b, NULL)));
    ensures  \sorted(next, data, \result, NULL);
@*/
struct node *sorted_merge(struct node *a, struct node *b)
{
  struct node *h, *t;
  if (a == NULL) return b;
  if (b == NULL) return a;
  if (a->data <= b->data) { h = a; a = a->next; } else { h = b; b = b->next; }
  t = h;
  /*@ loop invariant h -next*-> t && t != NULL && t -next*-> NULL;
      loop invariant \list(next, a) && \list(next, b);
      loop invariant \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
      loop invariant t->next == a || t->next == b;
      loop invariant !(t \in \cells(next, a, NULL)) && !(t \in \cells(next, b, NULL));
      loop invariant \forall struct node *u; u \in \cells(next, h, t) ==>
                       !(u \in \cells(next, a, NULL)) && !(u \in \cells(next, b, NULL)) && u->data <= t->data;
      loop invariant \union(\cells(next, h, t), {t}, \cells(next, a, NULL), \cells(next, b, NULL)) ==
                     \old(\union(\cells(next, a, NULL), \cells(next, b, NULL)));
      loop invariant \sorted(next, data, h, t);
      loop invariant \sorted(next, data, a, NULL) && \sorted(next, data, b, NULL);
      loop invariant a != NULL ==> t->data <= a->data;
      loop invariant b != NULL ==> t->data <= b->data;
  @*/
  while (a != NULL && b != NULL) {
    if (a->data <= b->data) { t->next = a; t = a; a = a->next; }
    else { t->next = b; t = b; b = b->next; }
  }
  t->next = NULL;
  return h;
}
