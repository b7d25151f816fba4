// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: example1[safety]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires y != NULL && x -n+-> y && \list(n, x);
    behavior safety: ensures \true;
@*/
void example1(struct node *x, struct node *y)
{
  while (x != y)
    x = x->n;
}
