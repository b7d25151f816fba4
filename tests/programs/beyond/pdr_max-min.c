// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: max: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures \result != NULL && h -next*-> \result;
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d <= \result->d;
@*/
struct node *max(struct node *h)
{
  struct node *m = h, *p = h->next;
  while (p != NULL) {
    if (m->d > p->d)
      m = p;
    p = p->next;
  }
  return m;
}
