// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: reverse_bug[bug]: violated
// STATUS: 1
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/* Table 8, row 4: the iterator is not advanced, so the second round closes a cycle. */
/*@ requires \list(n, h);
    behavior bug: ensures \list(n, \result);
@*/
struct node *reverse_bug(struct node *h)
{
  struct node *i = h, *j = NULL;
  while (i != NULL) {
    struct node *k = i->n;
    i->n = j;
    j = i;
    i = j;
    //@ assert \list(n, j);
  }
  return j;
}
