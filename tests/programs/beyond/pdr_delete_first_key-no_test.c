// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: delete_first_key: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \subset(\cells(next, \result, NULL), \old(\cells(next, h, NULL)));
@*/
struct node *delete_first_key(struct node *h, int k)
{
  struct node *p = h, *q = NULL;
  while (p != NULL && p->d != k) {
    q = p;
    p = p->next;
  }
  struct node *t = p->next;
  if (q == NULL)
    h = t;
  else
    q->next = t;
  free(p);
  return h;
}
