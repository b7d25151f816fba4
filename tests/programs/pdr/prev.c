// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: prev[safety]: verified
// EXPECT: prev[before]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: ensures \true;
    behavior before:
      requires h -n*-> x && x != NULL;
      ensures h != x ==> \result != NULL && \result->n == x;
      ensures h == x ==> \result == NULL;
@*/
struct node *prev(struct node *h, struct node *x)
{
  struct node *p = h, *q = NULL;
  while (p != NULL && p != x) {
    q = p;
    p = p->n;
  }
  return q;
}
