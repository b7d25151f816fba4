// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: zero: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \cyclic(next, h) && h != NULL;
    ensures \cyclic(next, h); ensures \forall struct node *u; h -next*-> u ==> u->val == 0; @*/
void zero(struct node *h) {
  struct node *c = h;
  do { c->val = 1; c = c->next; } while (c != h);
}
