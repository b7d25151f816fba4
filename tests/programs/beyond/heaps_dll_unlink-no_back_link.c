// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: dll_remove2: violated
// STATUS: 1
/* The next cell still points back. */
#include <stdlib.h>
struct dn { struct dn *next, *prev; int d; };
struct dn *h;
/*@ predicate chain(struct dn *r) =
   (\forall struct dn *u; \list(next, u)) &&
   (\forall struct dn *u; u != NULL && u->next != NULL ==> u->next->prev == u) &&
   (\forall struct dn *u; u != NULL && u->prev != NULL ==> u->prev->next == u); @*/
/*@ requires chain(h) && \stable(next, h) && e != NULL && h -next*-> e && (h != NULL ==> h->prev == NULL);
 ensures chain(h);
 ensures \cells(next, h, NULL) == \diff(\old(\cells(next, h, NULL)), {e}); @*/
void dll_remove2(struct dn *e) { if (e->prev != NULL) e->prev->next = e->next; else h = e->next;
 e->next = NULL; e->prev = NULL; }
