// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: disjoint_pop: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures \list(next, \result);
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) <==> u \in \old(\cells(next, a, NULL)) || u \in \old(\cells(next, b, NULL));
@*/
struct node *disjoint_pop(struct node *a, struct node *b)
{
  while (a != NULL) {
    struct node *t = a;
    a = a->next;
    t->next = b;
    b = t;
  }
  return b;
}
