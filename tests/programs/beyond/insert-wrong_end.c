// RUN: verify --engine vc --timeout 120 %s
// EXPECT: insert: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

/*@ requires \list(next, l);
    requires \valid(e) && e->next == NULL && !(l -next*-> e);
    assigns  e->next, \cells(next, l, NULL)->next;
    ensures  \list(next, \result);
    ensures  \cells(next, \result, NULL) == \union(\old(\cells(next, l, NULL)), {e});
@*/
struct node *insert(struct node *l, struct node *e)
{
  if (l == NULL) return e;
  struct node *c = l;
  /*@ loop invariant c != NULL && l -next*-> c;
      loop assigns   c;
  @*/
  while (c->next != NULL && __VERIFIER_nondet_int())
    c = c->next;
  e->next = l;
  c->next = e;
  return l;
}
