// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: free_tail: verified
/* All cells behind the first are freed. */
#include <stdlib.h>
struct node { int d; struct node *next; };
/*@ predicate forest(struct node *r) =
      (\forall struct node *u; \list(next, u)) &&
      (\forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w);
@*/
/*@ requires forest(h) && \stable(next, h) && h != NULL;
 ensures h->next == NULL && \valid(h); @*/
void free_tail(struct node *h) { struct node *p = h->next; while (p != NULL) { struct node *t = p->next; free(p); p = t; } h->next = NULL; }
