// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: remove_dups_strict: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && \sorted(next, d, h, NULL);
    ensures \list(next, h) && \sorted(next, d, h, NULL);
    ensures \forall struct node *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->d < u->next->d;
@*/
void remove_dups_strict(struct node *h)
{
  struct node *p = h;
  while (p != NULL) {
    while (p->next != NULL && p->next->d == p->d) {
      struct node *q = p->next;
      p->next = q->next;
      free(q);
    }
    p = p->next;
  }
}
