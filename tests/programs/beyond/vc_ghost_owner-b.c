// RUN: verify --engine vc --timeout 120 %s
// EXPECT: add_owned: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct on { struct on *next; int d; /*@ ghost struct on *owner; @*/ };
void add_owned(struct on *h, struct on *e)
/*@ requires \valid(h) && \valid(e) && \list(next, h) && !(h -next*-> e);
    requires \forall struct on *u; u \in \cells(next, h, NULL) ==> u->owner == h;
    ensures \forall struct on *u; u \in \cells(next, h, NULL) ==> u->owner == h;
    ensures h -next*-> e && \list(next, h); @*/
{
  e->next = h->next;
  h->next = e;
  //@ ghost e->owner = e;
}
