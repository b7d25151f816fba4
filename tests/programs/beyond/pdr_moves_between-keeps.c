// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: moves_between: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct node *from, *to;

/*@ requires \list(next, from) && \list(next, to) && \disjoint(\cells(next, from, NULL), \cells(next, to, NULL));
    ensures \list(next, from) && \list(next, to) && \disjoint(\cells(next, from, NULL), \cells(next, to, NULL));
@*/
void moves_between(void)
{
  while (__VERIFIER_nondet_int()) {
    if (from != NULL && __VERIFIER_nondet_int()) {
      struct node *t = from;
      from = t->next;
      t->next = to;
      to = t;
    } else if (to != NULL) {
      struct node *t = to;
      t->next = from;
      from = t;
    }
  }
}
