// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skip_clear: violated
// STATUS: 1
/* Every other cell is left. */
#include <stdlib.h>
struct sn { int v; struct sn *next, *skip; };
struct sn *h;
/*@ predicate lanes(struct sn *r) = (\forall struct sn *u; \list(next, u)) && (\forall struct sn *u; u != NULL ==> (u->next) -next*-> (u->skip)); @*/
/*@ requires lanes(h) && \stable(next, h);
 ensures lanes(h);
 ensures \forall struct sn *u; u \in \cells(next, h, NULL) ==> u->skip == NULL; @*/
void skip_clear(void) { struct sn *c = h; while (c != NULL) { c->skip = NULL; c = c->next; if (c != NULL) c = c->next; } }
