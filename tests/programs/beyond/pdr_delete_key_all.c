// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete_key_all: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) ==> u->d != k;
@*/
struct node *delete_key_all(struct node *h, int k)
{
  struct node *p = h, *q = NULL;
  while (p != NULL) {
    struct node *t = p->next;
    if (p->d == k) {
      if (q == NULL)
        h = t;
      else
        q->next = t;
    } else {
      q = p;
    }
    p = t;
  }
  return h;
}
