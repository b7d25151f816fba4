// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: max: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \list(next, h) && h != NULL;
    ensures \forall struct node *z; z \in \cells(next, h, NULL) ==> z->val <= \result;
    ensures \exists struct node *z; z \in \cells(next, h, NULL) && z->val == \result; @*/
int max(struct node *h) {
  int m = h->val;
  struct node *c = h->next;
  while (c) { if (c->val < m) m = c->val; c = c->next; }
  return m;
}
