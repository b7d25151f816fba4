// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: has_neg: verified
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \list(next, h);
    ensures \result == 1 <==> (\exists struct node *u; u \in \cells(next, h, NULL) && u->val < 0); @*/
int has_neg(struct node *h) {
  int r = 0;
  for (struct node *c = h; c; c = c->next) if (c->val < 0) r = 1;
  return r;
}
