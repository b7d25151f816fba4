// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: swap_heads: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *first, *second;

/*@ requires \list(next, first) && \list(next, second) && \disjoint(\cells(next, first, NULL), \cells(next, second, NULL));
    requires first != NULL && second != NULL;
    ensures \list(next, first) && \list(next, second) && \disjoint(\cells(next, first, NULL), \cells(next, second, NULL));
    ensures first == \old(second) && second == \old(first);
@*/
void swap_heads(void)
{
  struct node *a = first, *b = second, *t = a->next;
  a->next = b->next;
  b->next = a->next;
  first = b;
  second = a;
}
