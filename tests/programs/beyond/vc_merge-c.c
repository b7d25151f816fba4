// RUN: verify --engine vc --timeout 120 %s
// EXPECT: merge: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *merge(struct node *a, struct node *b)
/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    requires \sorted(next, d, a, NULL) && \sorted(next, d, b, NULL) && a != NULL && b != NULL ;
    ensures \list(next, \result) && \sorted(next, d, \result, NULL); @*/
{
  struct node *r = a, *t = a;
  a = a->next;
  /*@ loop invariant t != NULL && \list(next, r) && r -next*-> t && t->next == a && \list(next, b) && \disjoint(\cells(next, r, NULL), \cells(next, b, NULL));
      loop invariant \sorted(next, d, r, NULL) && \sorted(next, d, b, NULL) && (b != NULL ==> t->d <= b->d); @*/
  while (b != NULL) {
    if (a != NULL && a->d <= b->d) { t = a; a = a->next; }
    else { struct node *n = b->next; b->next = a; t->next = b; t = b; b = n; }
  }
  return r;
}
