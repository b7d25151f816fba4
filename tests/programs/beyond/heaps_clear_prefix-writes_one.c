// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: zero: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \list(next, h) && h -next*-> e;
    ensures \forall struct node *z; \btwn(next, h, z, e) && z != e ==> z->val == 0;
    ensures \forall struct node *z; \valid(z) && !(\btwn(next, h, z, e) && z != e) ==> z->val == \old(z->val); @*/
void zero(struct node *h, struct node *e) {
  struct node *c = h;
  while (c != e) { c->val = c == h ? 1 : 0; c = c->next; }
}
