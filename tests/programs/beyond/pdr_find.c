// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: find: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \result != NULL ==> h -next*-> \result && \result->d == k;
@*/
struct node *find(struct node *h, int k)
{
  while (h != NULL && h->d != k)
    h = h->next;
  return h;
}
