// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rr: violated
// STATUS: 1
/* One of the two links stays. */
#include <stdlib.h>
struct rn { int v; struct rn *next, *prev; };
/*@ predicate ring(struct rn *s) = s != NULL && s -next+-> s &&
  (\forall struct rn *u; s -next*-> u ==> u != NULL && u->next != NULL && u->next->prev == u && \valid(u)); @*/
/*@ requires ring(s) && s -next*-> e && e != s;
 ensures s -next+-> s && !(s -next*-> e); @*/
void rr(struct rn *s, struct rn *e) { e->next->prev = e->prev; }
