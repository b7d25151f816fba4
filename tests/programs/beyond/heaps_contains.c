// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: contains: verified
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \list(next, h);
    ensures \result != 0 <==> (\exists struct node *z; z \in \cells(next, h, NULL) && z->val == k);
    assigns \nothing; @*/
int contains(struct node *h, int k) {
  struct node *c = h;
  while (c) { if (c->val == k) return 1; c = c->next; }
  return 0;
}
