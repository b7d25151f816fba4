// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: bubble: violated
// STATUS: 1
/* The smallest goes last. */
struct node { int key; int flag; struct node *next; };
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

/*@ requires \list(next, h) && h != NULL;
    ensures \list(next, h);
    ensures \forall struct node *u; u \in \cells(next, h, NULL) ==> u->key <= \result->key;
    ensures \result \in \cells(next, h, NULL) && \result->next == NULL; @*/
struct node *bubble(struct node *h)
{
  struct node *c = h;
  while (c->next != NULL) {
    if (c->key < c->next->key) { int t = c->key; c->key = c->next->key; c->next->key = t; }
    c = c->next;
  }
  return c;
}
