// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: selection_min_front: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures \list(next, \result) && \result != NULL;
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) ==> \result->d <= u->d;
@*/
struct node *selection_min_front(struct node *h)
{
  struct node *p = h->next, *q = h, *m = h, *before = NULL;
  while (p != NULL) {
    if (p->d < m->d) {
      m = p;
      before = q;
    }
    q = p;
    p = p->next;
  }
  if (before != NULL) {
    m->next = h;
    return m;
  }
  return h;
}
