// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: take_while_free: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result) && (\result != NULL ==> \result->d >= k);
    ensures \stable(next, \result);
@*/
struct node *take_while_free(struct node *h, int k)
{
  while (h != NULL && h->d < k) {
    struct node *t = h;
    h = h->next;
    free(t);
  }
  return h;
}
