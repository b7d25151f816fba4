// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: reverse[safety]: verified
// EXPECT: reverse[order_reversed]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: ensures \list(n, \result);
    behavior order_reversed:
      requires h -n*-> x && x -n*-> y && y != NULL;
      ensures \list(n, \result);
      ensures \result -n*-> y && y -n*-> x;
@*/
struct node *reverse(struct node *h, struct node *x, struct node *y)
{
  struct node *i = h, *j = NULL;
  while (i != NULL) {
    struct node *k = i->n;
    i->n = j;
    j = i;
    i = k;
  }
  return j;
}
