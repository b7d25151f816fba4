// RUN: verify --engine vc --timeout 120 %s
// EXPECT: free_segment: too-weak
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };
/* All cells of a list up to e are freed. */
/*@ requires \lseg(next, l, e) && (\forall struct node *u; u \in \cells(next, l, e) ==> \valid(u));
    ensures  \forall struct node *u; u \in \old(\cells(next, l, e)) ==> \freed(u);
@*/
void free_segment(struct node *l, struct node *e)
{
  /*@ loop invariant \btwn(next, \old(l), l, e);
      loop invariant \forall struct node *u; u \in \cells(next, l, e) ==> \valid(u);
  @*/
  while (l != e) {
    struct node *t = l->next;
    free(l);
    l = t;
  }
}
