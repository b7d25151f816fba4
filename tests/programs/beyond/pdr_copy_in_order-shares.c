// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: copy_in_order: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \result == NULL <==> h == NULL;
    ensures \disjoint(\cells(next, \result, NULL), \old(\cells(next, h, NULL)));
@*/
struct node *copy_in_order(struct node *h)
{
  struct node *r = NULL, *t = NULL;
  while (h != NULL) {
    struct node *e = malloc(sizeof(struct node));
    e->d = h->d;
    e->next = h;
    if (t == NULL)
      r = e;
    else
      t->next = e;
    t = e;
    h = h->next;
  }
  return r;
}
