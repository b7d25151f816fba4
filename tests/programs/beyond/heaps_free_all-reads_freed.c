// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: freeall: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int val; };

/*@ requires \list(next, h);
    ensures \forall struct node *z; z \in \old(\cells(next, h, NULL)) ==> \freed(z); @*/
void freeall(struct node *h) {
  while (h) { free(h); h = h->next; }
}
