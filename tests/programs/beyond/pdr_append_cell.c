// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: append_cell: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && e != NULL && e->next == NULL && !(h -next*-> e);
    ensures \list(next, \result) && \result -next*-> e;
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) <==> (u == e || u \in \old(\cells(next, h, NULL)));
@*/
struct node *append_cell(struct node *h, struct node *e)
{
  if (h == NULL)
    return e;
  struct node *p = h;
  while (p->next != NULL)
    p = p->next;
  p->next = e;
  return h;
}
