// RUN: verify --engine vc --timeout 120 %s
// EXPECT: same_shape: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
int same_shape(struct node *a, struct node *b)
/*@ requires \list(next, a) && \list(next, b); assigns \nothing; ensures a == NULL && b != NULL ==> \result == 0; @*/
{
  /*@ loop invariant \list(next, a) && \list(next, b) && (\old(a) == NULL ==> a == NULL && b == \old(b)); @*/
  while (a || b) { a = a->next; b = b->next; }
  return a == b;
}
