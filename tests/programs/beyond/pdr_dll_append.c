// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: dll_append: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; struct node *prev; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, t) && t != NULL;
    ensures \dlseg(next, prev, h, NULL, NULL, \result);
@*/
struct node *dll_append(struct node *h, struct node *t, int k)
{
  struct node *e = malloc(sizeof(struct node));
  e->d = k;
  e->next = NULL;
  e->prev = t;
  t->next = e;
  return e;
}
