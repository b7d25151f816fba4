// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: free_all: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \forall struct node *u; u \in \old(\cells(next, h, NULL)) ==> !\valid(u);
@*/
void free_all(struct node *h)
{
  while (h != NULL) {
    struct node *t = h->next;
    free(h);
    h = t;
  }
}
