// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: filter[safety]: verified
// EXPECT: filter[order_kept]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: ensures \list(n, \result);
    behavior order_kept:
      requires h -n*-> x && x -n*-> y && y != NULL && x->c != 0 && y->c != 0;
      ensures \list(n, \result);
      ensures x -n*-> y;
@*/
struct node *filter(struct node *h, struct node *x, struct node *y)
{
  struct node *i = h, *j = NULL;
  while (i != NULL) {
    struct node *t = i->n;
    if (i->c)
      j = i;
    else if (i == h)
      h = t;
    else
      j->n = t;
    i = t;
  }
  return h;
}
