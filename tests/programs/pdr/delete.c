// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete[safety]: verified
// EXPECT: delete[removed]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, h);
    behavior safety: ensures \list(n, \result);
    behavior removed: requires x != NULL; ensures \list(n, \result); ensures !(\result -n*-> x);
@*/
struct node *delete(struct node *h, struct node *x)
{
  struct node *p = h, *q = NULL;
  while (p != x && p != NULL) {
    q = p;
    p = p->n;
  }
  if (p != NULL) {
    struct node *t = p->n;
    if (q == NULL)
      h = t;
    else
      q->n = t;
  }
  return h;
}
