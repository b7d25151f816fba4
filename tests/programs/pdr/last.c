// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: last[safety]: verified
// EXPECT: last[is_last]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: ensures \true;
    behavior is_last:
      ensures h != NULL ==> h -n*-> \result && \result != NULL && \result->n == NULL;
      ensures h == NULL ==> \result == NULL;
@*/
struct node *last(struct node *h)
{
  struct node *p = h, *q = NULL;
  while (p != NULL) {
    q = p;
    p = p->n;
  }
  return q;
}
