// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: ibl: violated
// STATUS: 1
/* The last cell is cut off. */
#include <stdlib.h>
struct node { int d; struct node *next; };
/*@ predicate forest(struct node *r) =
      (\forall struct node *u; \list(next, u)) &&
      (\forall struct node *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w);
@*/
/*@ requires forest(h) && \stable(next, h) && h != NULL && h->next != NULL && \valid(n) && n->next == NULL && !(h -next*-> n);
 requires \forall struct node *u; u != NULL ==> u->next != n;
 ensures \list(next, h) && \cells(next, h, NULL) == \union(\old(\cells(next, h, NULL)), {n}); @*/
void ibl(struct node *h, struct node *n) { struct node *p = h; while (p->next->next != NULL) p = p->next; n->next = p->next->next; p->next = n; }
