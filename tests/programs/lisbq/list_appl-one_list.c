// RUN: verify --engine vc --timeout 120 %s
// EXPECT: list_appl: violated
// STATUS: 1
#include <stdlib.h>
struct owner { int id; };
struct node { struct node *next, *prev; struct owner *parent; int state, val; };

/* A cyclic doubly linked list through h. */
/*@ predicate cdl(struct node *h) =
      h != NULL && \cyclic(next, h) && \cyclic(prev, h) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \btwn(prev, h->prev, u, h)) &&
      (\forall struct node *u; \btwn(prev, h->prev, u, h) ==> \btwn(next, h->next, u, h)) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->prev->next == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> u->next->prev == u) &&
      (\forall struct node *u; \btwn(next, h->next, u, h) ==> \valid(u));
@*/

/*@ predicate app(struct node *a, struct node *b, struct owner *oa, struct owner *ob) =
      cdl(a) && cdl(b) && oa != ob &&
      (\forall struct node *u; \btwn(next, a->next, u, a) ==> u->parent == oa) &&
      (\forall struct node *u; \btwn(next, b->next, u, b) ==> u->parent == ob) &&
      (\forall struct node *u; \btwn(next, a->next, u, a) && u != a ==> u->state == 1) &&
      (\forall struct node *u; \btwn(next, b->next, u, b) && u != b ==> u->state == 2);
@*/

/* Two cyclic doubly linked lists with parent pointers: cells whose value exceeds k move from a to b. */
/*@ requires cdl(a) && oa != ob;
    ensures  app(a, b, oa, ob);
    ensures  \forall struct node *u; \btwn(next, a->next, u, a) && u != a ==> u->val <= k;
@*/
void list_appl(struct node *a, struct node *b, struct owner *oa, struct owner *ob, int k)
{
  struct node *i = a->next;
  /*@ loop invariant app(a, b, oa, ob);
      loop invariant \btwn(next, a->next, i, a);
      loop invariant \forall struct node *u; \btwn(next, a->next, u, i) && u != i ==> u->val <= k;
  @*/
  while (i != a) {
    struct node *nx = i->next;
    if (i->val > k) {
      /* remove i from a */
      struct node *pv = i->prev;
      pv->next = nx;
      nx->prev = pv;
      /* insert i at the head of b */
      struct node *t = b->next;
      i->next = t;
      i->prev = b;
      t->prev = i;
      b->next = i;
      i->parent = ob;
      i->state = 2;
    }
    i = nx;
  }
}
