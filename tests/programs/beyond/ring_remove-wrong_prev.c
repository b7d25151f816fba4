// RUN: verify --engine vc --timeout 120 %s
// EXPECT: ring_remove: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next, *prev; int val; };

/*@ predicate ring(struct node *h) =
      h != NULL && \cyclic(next, h) && \cyclic(prev, h) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \btwn(prev, h->prev, u, h)) &&
      (\forall struct node *u; \btwn(prev, h->prev, u, h) ==> \btwn(next, h->next, u, h)) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->prev->next == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->next->prev == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \valid(u));
@*/

/* Doubly linked list with a sentinel: unlink and free the cell x. */
/*@ requires ring(s) && \btwn(next, s->next, x, s) && x != s;
    assigns x->prev->next, x->next->prev;
    ensures  ring(s);
    ensures  \freed(x);
    ensures  \cells(next, s->next, s) == \diff(\old(\cells(next, s->next, s)), {x});
@*/
void ring_remove(struct node *s, struct node *x)
{
  x->prev->next = x->next;
  x->next->prev = x;
  free(x);
}
