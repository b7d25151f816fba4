// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: concat: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, x) && \list(next, y);
    requires y != NULL ==> !(x -next*-> y) && !(y -next*-> x);
    requires \unshared(next, x, NULL) && \unshared(next, y, NULL);
    ensures \list(next, \result) && \result -next*-> y;
@*/
struct node *concat(struct node *x, struct node *y)
{
  struct node *p = x;
  if (x == NULL)
    return y;
  while (p->next != NULL)
    p = p->next;
  p->next = y;
  return x;
}
