// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: traverse_count: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, h);
    ensures \result >= 0;
    ensures h != NULL ==> \result > 0;
@*/
int traverse_count(struct node *h)
{
  int n = 0;
  struct node *p = h;
  while (p != NULL) {
    n = n + 1;
    p = p->next;
  }
  return n;
}
