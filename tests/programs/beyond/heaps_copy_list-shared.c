// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: copy: violated
// STATUS: 1
/* The copy ends in the list itself. */
struct node { int key; int flag; struct node *next; };
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

/*@ requires \list(next, h);
    ensures \list(next, \result);
    ensures \forall struct node *u; u \in \cells(next, \result, NULL) ==> \fresh(u);
    ensures \cells(next, h, NULL) == \old(\cells(next, h, NULL)); @*/
struct node *copy(struct node *h)
{
  struct node *r = NULL, *c = h;
  while (c) {
    struct node *n = malloc(sizeof *n);
    n->key = c->key; n->next = h; r = n; c = c->next;
  }
  return r;
}
