// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: sorted_insert2: verified
/* Insertion into a sorted list behind equal keys. No predicates are given. */
#include <stdlib.h>
struct node {
  int d;
  struct node *next;
};
/*@ predicate acyclic(struct node *r) = \forall struct node *u; \list(next, u);
    predicate single(struct node *r) = \forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w; @*/
struct node *h;
/*@ predicate ascending(struct node *r) = \forall struct node *u; u != NULL && u->next != NULL && r -next*-> u ==> u->d <= u->next->d; @*/
/*@ requires acyclic(h) && single(h) && ascending(h) && \stable(next, h) && \valid(e) && !(h -next*-> e);
 requires \forall struct node *u; u != NULL ==> u->next != e;
 requires \forall struct node *u; u != NULL && h != NULL ==> u->next != h;
 ensures acyclic(h) && ascending(h);
 ensures \cells(next, h, NULL) == \union(\old(\cells(next, h, NULL)), {e}); @*/
void sorted_insert2(struct node *e) { struct node *p = NULL, *c = h;
  while (c != NULL && c->d <= e->d) { p = c; c = c->next; }
  e->next = c; if (p == NULL) h = e; else p->next = e; }
