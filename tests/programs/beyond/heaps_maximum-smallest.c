// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: max: violated
// STATUS: 1
/* The smallest value is kept. */
#include <stdlib.h>
struct node {
  int d;
  struct node *next;
};
/*@ predicate acyclic(struct node *r) = \forall struct node *u; \list(next, u);
    predicate single(struct node *r) = \forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w; @*/
/*@ requires \list(next, l) && \stable(next, l) && l != NULL;
 ensures \forall struct node *u; u \in \cells(next, l, NULL) ==> u->d <= \result; @*/
int max(struct node *l) { struct node *c = l; int m = l->d; while (c != NULL) { if (c->d < m) m = c->d; c = c->next; } return m; }
