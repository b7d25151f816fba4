// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete_key: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && \stable(next, h);
    ensures \list(next, \result) && \stable(next, \result);
@*/
struct node *delete_key(struct node *h, int k)
{
  struct node *p = h, *q = NULL;
  while (p != NULL && p->d != k) {
    q = p;
    p = p->next;
  }
  if (p == NULL)
    return h;
  if (q == NULL)
    h = p->next;
  else
    q->next = p->next;
  free(p);
  return h;
}
