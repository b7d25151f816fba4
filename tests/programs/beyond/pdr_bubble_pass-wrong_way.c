// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: bubble_pass: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && h != NULL;
    ensures \list(next, h);
    ensures h -next*-> \result && \result->next == NULL;
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->d <= \result->d;
@*/
struct node *bubble_pass(struct node *h)
{
  struct node *p = h;
  while (p->next != NULL) {
    struct node *q = p->next;
    if (p->d < q->d) {
      int t = p->d;
      p->d = q->d;
      q->d = t;
    }
    p = q;
  }
  return p;
}
