// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: dll_reverse_in_place: unknown
// STATUS: 2
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; struct node *prev; };

/*@ requires \dlseg(next, prev, h, NULL, NULL, t);
    ensures \list(next, \result) && \inverse(next, prev, \result, NULL);
@*/
struct node *dll_reverse_in_place(struct node *h, struct node *t)
{
  struct node *r = NULL;
  while (h != NULL) {
    struct node *n = h->next;
    h->next = r;
    h->prev = n;
    r = h;
    h = n;
  }
  return r;
}
