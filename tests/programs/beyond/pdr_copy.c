// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: copy: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures h != NULL ==> \fresh(\result);
@*/
struct node *copy(struct node *h)
{
  struct node *r = NULL;
  while (h != NULL) {
    struct node *e = malloc(sizeof(struct node));
    e->d = h->d;
    e->next = r;
    r = e;
    h = h->next;
  }
  return r;
}
