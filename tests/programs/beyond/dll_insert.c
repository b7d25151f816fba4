// RUN: verify --engine vc --timeout 120 %s
// EXPECT: dll_insert: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct dnode { int data; struct dnode *next, *prev; };

/*@ predicate dll(struct dnode *h) =
      \list(next, h) && (h != NULL ==> h->prev == NULL) &&
      \forall struct dnode *z; z \in \cells(next, h, NULL) && z->next != NULL ==> z->next->prev == z;
@*/

/*@ requires h != NULL && dll(h);
    requires \valid(e) && !(h -next*-> e);
    assigns  e->next, e->prev, \cells(next, h, NULL)->next, \cells(next, h, NULL)->prev;
    ensures  dll(\result);
    ensures  \cells(next, \result, NULL) == \union(\old(\cells(next, h, NULL)), {e});
    ensures  \result == h || \result == e;
@*/
struct dnode *dll_insert(struct dnode *h, struct dnode *e)
{
  struct dnode *c = h;
  /*@ loop invariant c != NULL && h -next*-> c;
      loop assigns   c;
  @*/
  while (c->next != NULL && __VERIFIER_nondet_int())
    c = c->next;
  struct dnode *p = c->prev;      /* insert e before c */
  e->next = c;
  e->prev = p;
  c->prev = e;
  if (p != NULL) { p->next = e; return h; }
  return e;
}
