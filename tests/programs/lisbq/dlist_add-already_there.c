// RUN: verify --engine vc --timeout 120 %s
// EXPECT: dlist_add: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next, *prev; };

/* A cyclic doubly linked list through h. */
/*@ predicate cdl(struct node *h) =
      h != NULL && \cyclic(next, h) && \cyclic(prev, h) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \btwn(prev, h->prev, u, h)) &&
      (\forall struct node *u; \btwn(prev, h->prev, u, h) ==> \btwn(next, h->next, u, h)) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->prev->next == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->next->prev == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \valid(u));
@*/

/* InsertHeadList(h, e). */
/*@ requires cdl(h);
    requires e != NULL && \valid(e);
    ensures  cdl(h);
    ensures  \btwn(next, h->next, e, h);
    ensures  h->next == e;
    ensures  \forall struct node *u; \btwn(next, h->next, u, h) ==> u == e || \old(\btwn(next, h->next, u, h));
    ensures  \forall struct node *u; \old(\btwn(next, h->next, u, h)) ==> \btwn(next, h->next, u, h);
@*/
void dlist_add(struct node *h, struct node *e)
{
  struct node *nx = h->next;
  e->next = nx;
  e->prev = h;
  nx->prev = e;
  h->next = e;
}
