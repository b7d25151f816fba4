// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: insert: verified
/* Insertion into a sorted list behind a sentinel, looking one cell ahead. */
#include <stdlib.h>
struct node { int d; struct node *next; };
/*@ predicate forest(struct node *r) =
      (\forall struct node *u; \list(next, u)) &&
      (\forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w);
@*/
/*@ requires forest(h) && h != NULL && \stable(next, h) && \sorted(next, d, h->next, NULL) && \valid(n) && !(h -next*-> n);
 requires \forall struct node *u; u != NULL ==> u->next != n;
 requires n->next == NULL;
 ensures \list(next, h) && \sorted(next, d, h->next, NULL);
 ensures \cells(next, h, NULL) == \union(\old(\cells(next, h, NULL)), {n}); @*/
void insert(struct node *h, struct node *n) {
  struct node *p = h;
  while (p->next != NULL && p->next->d < n->d) p = p->next;
  n->next = p->next; p->next = n; }
