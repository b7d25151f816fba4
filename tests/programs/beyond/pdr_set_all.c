// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: set_all: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { struct node *next; int d; };

/*@ requires \list(next, h);
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d == v;
@*/
void set_all(struct node *h, int v)
{
  while (h != NULL) {
    h->d = v;
    h = h->next;
  }
}
