// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: rotate: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures \list(next, \result);
    ensures \result -next*-> h && h->next == NULL;
    ensures \cells(next, \result, NULL) == \old(\cells(next, h, NULL));
@*/
struct node *rotate(struct node *h)
{
  struct node *r = h->next;
  if (r == NULL)
    return h;
  struct node *p = r;
  while (p->next != NULL)
    p = p->next;
  p->next = h;
  return r;
}
