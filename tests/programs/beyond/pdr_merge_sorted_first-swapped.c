// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: merge_sorted_first: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, a) && \list(next, b) && \disjoint(\cells(next, a, NULL), \cells(next, b, NULL));
    requires \sorted(next, d, a, NULL) && \sorted(next, d, b, NULL);
    ensures \list(next, \result) && \sorted(next, d, \result, NULL);
@*/
struct node *merge_sorted_first(struct node *a, struct node *b)
{
  struct node *h, *t;
  if (a == NULL)
    return b;
  if (b == NULL)
    return a;
  if (a->d <= b->d) {
    h = a;
    a = a->next;
  } else {
    h = b;
    b = b->next;
  }
  t = h;
  while (a != NULL && b != NULL) {
    if (a->d >= b->d) {
      t->next = a;
      a = a->next;
    } else {
      t->next = b;
      b = b->next;
    }
    t = t->next;
  }
  if (a != NULL)
    t->next = a;
  else
    t->next = b;
  return h;
}
