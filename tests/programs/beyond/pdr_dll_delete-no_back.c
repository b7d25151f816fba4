// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: dll_delete: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; struct node *prev; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, t) && h -next*-> x && x != NULL;
    ensures \list(next, \result) && \inverse(next, prev, \result, NULL);
    ensures !(\result -next*-> x);
@*/
struct node *dll_delete(struct node *h, struct node *t, struct node *x)
{
  struct node *a = x->prev, *b = x->next;
  if (a != NULL)
    a->next = b;
  else
    h = b;
  if (b != NULL)
    b->prev = NULL;
  return h;
}
