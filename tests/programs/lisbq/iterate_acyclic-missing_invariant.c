// RUN: verify --engine vc --timeout 120 %s
// EXPECT: iterate_acyclic: too-weak
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };

/* A list that ends: set every data field to 0. */
/*@ requires \list(next, hd);
    requires \forall struct node *u; u \in \cells(next, hd, NULL) ==> \valid(u);
    ensures  \list(next, hd);
    ensures  \forall struct node *u; u \in \cells(next, hd, NULL) ==> u->data == 0;
@*/
void iterate_acyclic(struct node *hd)
{
  struct node *i = hd;
  /*@ loop invariant \btwn(next, hd, i, NULL);
  @*/
  while (i != NULL) {
    i->data = 0;
    i = i->next;
  }
}
