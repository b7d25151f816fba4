// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: unique_key: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \result == 0 ==> (\forall struct node *u; u \in \cells(next, h, NULL) ==> u->d != k);
@*/
int unique_key(struct node *h, int k)
{
  int found = 0;
  while (h != NULL) {
    if (h->d == k)
      found = 1;
    else
      found = 0;
    h = h->next;
  }
  return found;
}
