// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: two_loops: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, h);
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d == 0;
@*/
void two_loops(struct node *h)
{
  struct node *p = h;
  while (p != NULL) {
    p->d = 1;
    p = p->next;
  }
  p = h;
  while (p != NULL) {
    p->d = 0;
    p = p->next;
  }
}
