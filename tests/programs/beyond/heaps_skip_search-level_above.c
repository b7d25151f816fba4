// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skip_search: violated
// STATUS: 1
/* The lower loop goes on along the upper level. */
#include <stdlib.h>
struct sn { int v; struct sn *next, *up; };
/*@ predicate skip(struct sn *r) = (\forall struct sn *u; \list(next, u)) &&
  (\forall struct sn *u, *w; u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w) &&
  (\forall struct sn *u; u != NULL ==> (u->next) -next*-> (u->up)); @*/
/*@ requires skip(r) && \stable(next, r) && r != NULL;
 ensures \result != NULL && r -next*-> \result; @*/
struct sn *skip_search(struct sn *r, int k) { struct sn *c = r;
  while (c->up != NULL && c->up->v < k) c = c->up;
  while (c->next != NULL && c->next->v < k) c = c->up;
  return c; }
