// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: filter_bug2[bug]: violated
// STATUS: 1
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/* Table 8, row 3: the head is used where the iterator is meant. */
/*@ requires \list(n, h);
    behavior bug:
      requires h -n*-> x && x -n*-> y && y != NULL && x->c != 0 && y->c != 0;
      ensures \list(n, \result);
      ensures x -n*-> y;
@*/
struct node *filter_bug2(struct node *h, struct node *x, struct node *y)
{
  struct node *i = h, *j = NULL;
  while (i != NULL) {
    struct node *t = i->n;
    if (i->c)
      j = h;
    else if (i == h)
      h = t;
    else
      j->n = t;
    i = t;
  }
  return h;
}
