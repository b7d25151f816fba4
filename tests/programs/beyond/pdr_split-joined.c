// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: split: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

struct node *left, *right;

/*@ requires \list(next, h);
    ensures \list(next, left) && \list(next, right);
    ensures right != NULL ==> !(left -next*-> right);
@*/
void split(struct node *h)
{
  struct node *p = h;
  left = h;
  right = NULL;
  while (p != NULL && __VERIFIER_nondet_int())
    p = p->next;
  if (p != NULL) {
    right = p->next;
  }
}
