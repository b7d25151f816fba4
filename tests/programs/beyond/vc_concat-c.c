// RUN: verify --engine vc --timeout 120 %s
// EXPECT: concat: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *concat(struct node *a, struct node *b)
/*@ requires \list(next, a) && \list(next, b) ;
    ensures \list(next, \result) && \cells(next, \result, NULL) == \union(\old(\cells(next, a, NULL)), \old(\cells(next, b, NULL))); @*/
{
  if (a == NULL) return b;
  struct node *l = a;
  /*@ loop invariant l != NULL && a -next*-> l && \list(next, l); @*/
  while (l->next) l = l->next;
  l->next = b;
  return a;
}
