// RUN: verify --engine vc --timeout 120 %s
// EXPECT: drem: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct dn { struct dn *next, *prev; int d; };
struct dn *drem(struct dn *h, struct dn *e)
/*@ requires \valid(e) && \list(next, h) && h -next*-> e && h->prev == NULL;
    requires \forall struct dn *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->next->prev == u;
    requires \forall struct dn *u; u \in \cells(next, h, NULL) && u->prev != NULL ==> u->prev->next == u;
    requires e->prev == NULL ==> e == h;
    requires e->prev != NULL ==> h -next*-> e->prev;
    ensures \list(next, \result) && !(\result -next*-> e);
    ensures \cells(next, \result, NULL) == \diff(\old(\cells(next, h, NULL)), {e}); @*/
{
  if (e->prev) e->prev->next = e->next; ;
  if (e->next) e->next->prev = e->prev;
  return h;
}
