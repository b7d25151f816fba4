// RUN: verify --engine vc --timeout 120 %s
// EXPECT: different: verified
#include <stdlib.h>
struct part { int v; struct part *next; };
struct left { int k; struct part a, b; };
struct right { struct part a; int k; };

/*@ requires \valid(p) && \valid(q); ensures p->a.v == 1 && p->b.v == 2 && q->a.v == 3 && s == s; @*/
void different(struct left *p, struct right *q, struct part *s) {
  struct part *x = &p->a, *y = &p->b, *z = &q->a;
  x->v = 1; y->v = 2; z->v = 3;
}
