// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: merge_interleave: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    ensures \list(next, \result);
@*/
struct node *merge_interleave(struct node *a, struct node *b)
{
  struct node *r = NULL;
  while (a != NULL || b != NULL) {
    struct node *t;
    if (a != NULL) {
      t = a;
      a = a->next;
      t->next = r;
      r = t;
    }
    if (a != NULL) {
      t = b;
      b = b->next;
      t->next = r;
      r = t;
    }
  }
  return r;
}
