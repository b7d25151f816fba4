// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: first_common: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b);
    ensures \result == NULL ==> \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
@*/
struct node *first_common(struct node *a, struct node *b)
{
  struct node *p = a;
  while (p != NULL) {
    struct node *q = b;
    while (q != NULL && q != p)
      q = q->next;
    if (q == p)
      return p;
    p = p->next;
  }
  return NULL;
}
