// RUN: verify --engine vc --timeout 120 %s
// EXPECT: move_all: violated
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

/* All cells of a move to the front of b, one by one. */
/*@ requires \list(next, a) && \list(next, b);
    requires \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \old(\union(\cells(next, a, NULL), \cells(next, b, NULL)));
@*/
struct node *move_all(struct node *a, struct node *b)
{
  /*@ loop invariant \list(next, a) && \list(next, b);
      loop invariant \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
      loop invariant \union(\cells(next, a, NULL), \cells(next, b, NULL)) ==
                     \old(\union(\cells(next, a, NULL), \cells(next, b, NULL)));
  @*/
  while (a != NULL) {
    struct node *t = a->next;
    a->next = b;
    b = t;
    a = t;
  }
  return b;
}
