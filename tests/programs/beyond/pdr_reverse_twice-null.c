// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: reverse_twice: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

static struct node *rev(struct node *h)
{
  struct node *r = NULL;
  while (h != NULL) {
    struct node *t = h->next;
    h->next = r;
    r = h;
    h = t;
  }
  return r;
}

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \cells(next, \result, NULL) == \old(\cells(next, h, NULL));
@*/
struct node *reverse_twice(struct node *h)
{
  return rev(rev(h)->next);
}
