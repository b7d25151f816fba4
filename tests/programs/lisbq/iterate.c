// RUN: verify --engine vc --timeout 120 %s
// EXPECT: iterate: verified
#include <stdlib.h>
struct node { int data; struct node *next; };

/* A cyclic list through hd: set every data field to 0. */
/*@ requires hd != NULL && \cyclic(next, hd);
    requires \forall struct node *u; \btwn(next, hd->next, u, hd) ==> \valid(u);
    ensures  \cyclic(next, hd);
    ensures  \forall struct node *u; \btwn(next, hd->next, u, hd) ==> u->data == 0;
@*/
void iterate(struct node *hd)
{
  struct node *i = hd->next;
  /*@ loop invariant \btwn(next, hd->next, i, hd);
      loop invariant \forall struct node *u; \btwn(next, hd->next, u, i) && u != i ==> u->data == 0;
  @*/
  while (i != hd) {
    i->data = 0;
    i = i->next;
  }
  hd->data = 0;
}
