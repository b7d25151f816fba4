// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: sorted_merge[safety]: verified
// EXPECT: sorted_merge[with_order]: verified
// EXPECT: sorted_merge[stays_sorted]: verified
#include <stdlib.h>

struct node { int d; int c; struct node *n; };

/*@ requires \list(n, i) && \list(n, j) && \unshared(n, i, NULL) && \unshared(n, j, NULL);
    requires i != NULL && j != NULL ==> !(i -n*-> j) && !(j -n*-> i);
    behavior safety: ensures \list(n, \result);
    behavior with_order: ensures \list(n, \result);
    behavior stays_sorted:
      requires \sorted(n, d, i, NULL) && \sorted(n, d, j, NULL);
      ensures \list(n, \result);
      ensures \sorted(n, d, \result, NULL);
@*/
struct node *sorted_merge(struct node *i, struct node *j)
{
  struct node *h = NULL, *t = NULL, *u;
  while (i != NULL && j != NULL) {
    if (i->d <= j->d) {
      u = i;
      i = i->n;
    } else {
      u = j;
      j = j->n;
    }
    if (t == NULL)
      h = u;
    else
      t->n = u;
    t = u;
  }
  if (i != NULL)
    u = i;
  else
    u = j;
  if (t == NULL)
    h = u;
  else
    t->n = u;
  return h;
}
