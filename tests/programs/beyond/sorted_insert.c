// RUN: verify --engine vc --timeout 120 %s
// EXPECT: sorted_insert: verified
#include <stdlib.h>
struct node { int data; struct node *next; };

/*@ predicate sorted(struct node *x, struct node *y) =
      \forall struct node *u, *v;
        x -next*-> u && \btwn(next, u, v, y) && u != y && v != y ==> u->data <= v->data;
@*/

/*@ requires \list(next, l) && sorted(l, NULL);
    requires \valid(e) && e->next == NULL && !(l -next*-> e);
    ensures  \list(next, \result) && sorted(\result, NULL);
    ensures  \cells(next, \result, NULL) == \union(\old(\cells(next, l, NULL)), {e});
@*/
struct node *sorted_insert(struct node *l, struct node *e)
{
  if (l == NULL || l->data > e->data) { e->next = l; return e; }
  struct node *c = l;
  /*@ loop invariant l -next*-> c && c != NULL && c->data <= e->data;
      loop assigns   c;
      loop track     c->data <= e->data;
  @*/
  while (c->next != NULL && c->next->data <= e->data)
    c = c->next;
  e->next = c->next;
  c->next = e;
  return l;
}
