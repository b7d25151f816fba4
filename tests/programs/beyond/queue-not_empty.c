// RUN: verify --engine vc --timeout 120 %s
// EXPECT: queue: violated
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

/* A doubly linked queue with a sentinel: take the first cell, if there is one. */
/*@ requires cdl(s);
    ensures  cdl(s);
    ensures  \result == NULL ==> s->next == s;
    ensures  \result != NULL ==> \result == \old(s->next) && !\btwn(next, s->next, \result, s);
    ensures  \forall struct node *u; \btwn(next, s->next, u, s) ==> \old(\btwn(next, s->next, u, s));
@*/
struct node *queue(struct node *s)
{
  struct node *e = s->next;
  e->prev->next = e->next;
  e->next->prev = e->prev;
  return e;
}
