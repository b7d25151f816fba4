// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: find: violated
// STATUS: 1
/* The search stops at a larger key. */
#include <stdlib.h>
struct node {
  int d;
  struct node *next;
};
/*@ predicate acyclic(struct node *r) = \forall struct node *u; \list(next, u);
    predicate single(struct node *r) = \forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w; @*/
/*@ requires \list(next, l) && \stable(next, l);
 ensures \result != NULL ==> \result->d == k && l -next*-> \result;
 ensures \result == NULL ==> (\forall struct node *u; u \in \cells(next, l, NULL) ==> u->d != k); @*/
struct node *find(struct node *l, int k) { struct node *c = l; while (c != NULL && c->d < k) c = c->next; return c; }
