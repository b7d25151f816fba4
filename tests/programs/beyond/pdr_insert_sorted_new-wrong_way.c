// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: insert_sorted_new: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h) && \sorted(next, d, h, NULL);
    ensures \list(next, \result) && \sorted(next, d, \result, NULL);
@*/
struct node *insert_sorted_new(struct node *h, int k)
{
  struct node *e = malloc(sizeof(struct node));
  e->d = k;
  if (h == NULL || k <= h->d) {
    e->next = h;
    return e;
  }
  struct node *p = h;
  while (p->next != NULL && p->next->d > k)
    p = p->next;
  e->next = p->next;
  p->next = e;
  return h;
}
