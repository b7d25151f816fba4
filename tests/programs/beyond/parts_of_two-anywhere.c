// RUN: verify --engine vc --timeout 120 %s
// EXPECT: somewhere: violated
// EXPECT: same_struct: violated
// STATUS: 1
#include <stdlib.h>
struct part { int v; struct part *next; };
struct left { int k; struct part a, b; };
struct right { struct part a; int k; };

/*@ requires \valid(p) && \valid(q) && \valid(s); ensures p->a.v == 1 && q->a.v == 3; @*/
void somewhere(struct left *p, struct right *q, struct part *s) {
  struct part *x = &p->a, *z = &q->a;
  x->v = 1; z->v = 3; s->v = 2;
}

/*@ requires \valid(p) && \valid(q); ensures p->b.v == \old(p->b.v); @*/
void same_struct(struct left *p, struct left *q) { struct part *x = &q->b; x->v = 1; }
