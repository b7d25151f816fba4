// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: append_lists: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures \list(next, \result);
    ensures \cells(next, \result, NULL) == \union(\old(\cells(next, a, NULL)), \old(\cells(next, b, NULL)));
@*/
struct node *append_lists(struct node *a, struct node *b)
{
  struct node *p = a, *q = NULL;
  while (p != NULL) {
    q = p;
    p = p->next;
  }
  if (q == NULL)
    return a;
  q->next = b;
  return a;
}
