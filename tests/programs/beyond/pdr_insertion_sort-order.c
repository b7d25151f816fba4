// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insertion_sort: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result) && \sorted(next, d, \result, NULL);
@*/
struct node *insertion_sort(struct node *h)
{
  struct node *s = NULL;
  while (h != NULL) {
    struct node *e = h, *p = s, *q = NULL;
    h = h->next;
    while (p != NULL && p->d > e->d) {
      q = p;
      p = p->next;
    }
    e->next = p;
    if (q == NULL)
      s = e;
    else
      q->next = e;
  }
  return s;
}
