// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: do_while_last: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures h -next*-> \result && \result != NULL && \result->next == NULL;
@*/
struct node *do_while_last(struct node *h)
{
  struct node *q;
  do {
    q = h;
    h = h->next;
  } while (h != NULL);
  return q;
}
