// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: move_all: verified
/* All cells of one list are pushed onto another. No predicates are given. */
#include <stdlib.h>
struct node {
  int d;
  struct node *next;
};
/*@ predicate acyclic(struct node *r) = \forall struct node *u; \list(next, u);
    predicate single(struct node *r) = \forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w; @*/
struct node *a, *b;
/*@ requires acyclic(a) && single(a) && \stable(next, a) && \stable(next, b);
 requires \forall struct node *u; u != NULL && a != NULL ==> u->next != a;
 requires \forall struct node *u; u != NULL && b != NULL ==> u->next != b;
 requires \forall struct node *u; u != NULL ==> !(a -next*-> u && b -next*-> u);
 ensures acyclic(b) && a == NULL;
 ensures \cells(next, b, NULL) == \union(\old(\cells(next, a, NULL)), \old(\cells(next, b, NULL))); @*/
void move_all(void) { struct node *t; while (a != NULL) { t = a->next; a->next = b; b = a; a = t; } }
