// RUN: verify --engine vc --timeout 120 %s
// EXPECT: ring_sorted_insert: verified
#include <stdlib.h>
struct node { int key; struct node *next; };

/* Insert a cell behind the sentinel at its place in a sorted cyclic list; the sentinel's key is not looked at. */
/*@ requires \valid(s) && \cyclic(next, s) && \valid(x) && !\btwn(next, s, x, s);
    requires !\btwn(next, s->next, x, s);
    requires \sorted(next, key, s->next, s);
    assigns x->next, \cells(next, s->next, s)->next, s->next;
    ensures  \cyclic(next, s) && \sorted(next, key, s->next, s);
    ensures  \cells(next, s->next, s) == \old(\union(\cells(next, s->next, s), {x}));
@*/
void ring_sorted_insert(struct node *s, struct node *x)
{
  struct node *p = s;
  /*@ loop invariant (p == s || \btwn(next, s->next, p, s)) && p != NULL;
      loop invariant p != s ==> p->key <= x->key;
      loop invariant \forall struct node *u; u \in \cells(next, s->next, s) && p != s && \btwn(next, s->next, u, p) ==> u->key <= x->key;
  @*/
  while (p->next != s && p->next->key < x->key)
    p = p->next;
  x->next = p->next;
  p->next = x;
}
