// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: dll_push: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; struct node *prev; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, t);
    ensures \dlseg(next, prev, \result, NULL, NULL, (h == NULL ? \result : t));
@*/
struct node *dll_push(struct node *h, struct node *t)
{
  struct node *e = malloc(sizeof(struct node));
  e->next = h;
  e->prev = NULL;
  if (h != NULL)
    h->prev = e;
  return e;
}
