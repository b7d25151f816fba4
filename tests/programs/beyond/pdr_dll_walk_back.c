// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: dll_walk_back: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; struct node *prev; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, t);
    ensures \result == h;
@*/
struct node *dll_walk_back(struct node *h, struct node *t)
{
  struct node *p = t;
  while (p != NULL && p->prev != NULL)
    p = p->prev;
  return p;
}
