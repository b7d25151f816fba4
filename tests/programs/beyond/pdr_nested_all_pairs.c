// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: nested_all_pairs: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, h);
    ensures \result == NULL || h -next*-> \result;
@*/
struct node *nested_all_pairs(struct node *h)
{
  struct node *p = h, *best = h;
  while (p != NULL) {
    struct node *q = p->next;
    while (q != NULL) {
      if (q->d < best->d)
        best = q;
      q = q->next;
    }
    p = p->next;
  }
  return best;
}
