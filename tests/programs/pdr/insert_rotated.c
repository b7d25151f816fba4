// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insert_rotated[safety]: verified
// EXPECT: insert_rotated[inserted]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/* The loop of insert, rotated. */
/*@ requires h != NULL && h -n+-> x && \list(n, x);
    requires e != NULL && e->n == NULL && !(h -n*-> e);
    behavior safety: ensures \list(n, h);
    behavior inserted: ensures h -n*-> e && e->n == x && \list(n, x);
@*/
void insert_rotated(struct node *h, struct node *e, struct node *x)
{
  struct node *q = h, *p = q->n;
  while (p != x && p != NULL) {
    q = p;
    p = p->n;
  }
  q->n = e;
  e->n = p;
}
