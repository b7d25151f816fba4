// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: filter_bug1[bug]: violated
// STATUS: 1
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/* Table 8, row 2: the test compares with the head at entry, so j may still be NULL. */
/*@ requires \list(n, h);
    behavior bug: ensures \list(n, \result);
@*/
struct node *filter_bug1(struct node *h)
{
  struct node *i = h, *j = NULL, *g = h;
  while (i != NULL) {
    struct node *t = i->n;
    if (i->c)
      j = i;
    else if (i == g)
      h = t;
    else
      j->n = t;
    i = t;
  }
  return h;
}
