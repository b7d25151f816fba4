// RUN: verify --engine vc --timeout 120 %s
// EXPECT: append: verified
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *append(struct node *h, struct node *e)
/*@ requires \valid(e) && \list(next, h) && !(h -next*-> e);
    ensures \list(next, \result) && \cells(next, \result, NULL) == \union(\old(\cells(next, h, NULL)), {e}); @*/
{
  e->next = NULL;
  if (h == NULL) return e;
  struct node *c = h;
  /*@ loop invariant c != NULL && \list(next, h) && h -next*-> c && !(h -next*-> e) && e->next == NULL;
      loop invariant \cells(next, h, NULL) == \old(\cells(next, h, NULL)); @*/
  while (c->next != NULL) c = c->next;
  c->next = e;
  return h;
}
