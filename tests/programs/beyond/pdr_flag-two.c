// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: flag: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \result == 0 || \result == 1;
@*/
int flag(struct node *h, int k)
{
  int found = 0;
  while (h != NULL && !found) {
    if (h->d == k)
      found = 2;
    else
      h = h->next;
  }
  return found;
}
