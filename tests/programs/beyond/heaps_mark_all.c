// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: mark_all: verified
/* Every cell of a list gets a value. No predicates are given. */
#include <stdlib.h>
struct node {
  int d;
  struct node *next;
};
/*@ predicate acyclic(struct node *r) = \forall struct node *u; \list(next, u);
    predicate single(struct node *r) = \forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w; @*/
/*@ requires \list(next, l) && \stable(next, l);
 assigns \cells(next, l, NULL)->d;
 ensures \forall struct node *u; u \in \cells(next, l, NULL) ==> u->d == 1; @*/
void mark_all(struct node *l) { struct node *c = l; while (c != NULL) { c->d = 1; c = c->next; } }
