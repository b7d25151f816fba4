// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: own: violated
// STATUS: 1
/* They get none. */
#include <stdlib.h>
struct ow;
struct it { struct it *next; struct ow *owner; };
struct ow { struct it *items; };
/*@ requires \list(next, o->items) && o != NULL && \valid(o) && \stable(next, o->items);
 ensures \forall struct it *u; u \in \cells(next, o->items, NULL) ==> u->owner == o; @*/
void own(struct ow *o) { struct it *p = o->items; while (p != NULL) { p->owner = NULL; p = p->next; } }
