// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: find: verified
/* Search in a list: what is returned, and what it means when nothing is. No predicates are given. */
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
struct node *find(struct node *l, int k) { struct node *c = l; while (c != NULL && c->d != k) c = c->next; return c; }
