// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: sorted_insert[safety]: verified
// EXPECT: sorted_insert[stays_sorted]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h) && \sorted(n, d, h, NULL) && \list(n, e);
    requires e != NULL && !(h -n*-> e);
    behavior safety: ensures \list(n, \result);
    behavior stays_sorted: ensures \list(n, \result); ensures \sorted(n, d, \result, NULL);
@*/
struct node *sorted_insert(struct node *h, struct node *e)
{
  struct node *p = h, *q = NULL;
  while (p != NULL && !(e->d <= p->d)) {
    q = p;
    p = p->n;
  }
  e->n = p;
  if (q == NULL)
    h = e;
  else
    q->n = e;
  return h;
}
