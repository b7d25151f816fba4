// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insert_before: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && e != NULL && e->next == NULL && !(h -next*-> e);
    ensures \list(next, \result) && \result -next*-> e;
    ensures \forall struct node *u; u \in \old(\cells(next, h, NULL)) ==> \result -next*-> u;
@*/
struct node *insert_before(struct node *h, struct node *e, int k)
{
  struct node *p = h, *q = NULL;
  while (p != NULL) {
    if (p->d >= k)
      break;
    q = p;
    p = p->next;
  }
  e->next = NULL;
  if (q == NULL)
    return e;
  q->next = e;
  return h;
}
