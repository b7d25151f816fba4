// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: dl_insert_before: violated
// STATUS: 1
/* The head stays where it was. */
#include <stdlib.h>
struct dn { int v; struct dn *next, *prev; };
/*@ predicate dl(struct dn *r) =
  (\forall struct dn *u; \list(next, u)) &&
  (\forall struct dn *u; u != NULL && u->next != NULL ==> u->next->prev == u) &&
  (\forall struct dn *u; u != NULL && u->prev != NULL ==> u->prev->next == u); @*/
struct dn *head;
/*@ requires dl(head) && \stable(next, head) && p != NULL && head -next*-> p && head->prev == NULL && \valid(n) && n->next == NULL && n->prev == NULL && !(head -next*-> n);
 ensures dl(head) && \cells(next, head, NULL) == \union(\old(\cells(next, head, NULL)), {n}); @*/
void dl_insert_before(struct dn *p, struct dn *n) {
  n->next = p; n->prev = p->prev; if (p->prev != NULL) p->prev->next = n; else ; p->prev = n; }
