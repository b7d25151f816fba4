// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insert[safety]: verified
// EXPECT: insert[inserted]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires h != NULL && h -n+-> x && \list(n, x);
    requires e != NULL && e->n == NULL && !(h -n*-> e);
    behavior safety: ensures \list(n, h);
    behavior inserted: ensures h -n*-> e && e->n == x && \list(n, x);
@*/
void insert(struct node *h, struct node *e, struct node *x)
{
  struct node *p = h, *q = NULL;
  while (p != x && p != NULL) {
    q = p;
    p = p->n;
  }
  q->n = e;
  e->n = p;
}
