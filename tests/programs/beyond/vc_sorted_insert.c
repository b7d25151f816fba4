// RUN: verify --engine vc --timeout 120 %s
// EXPECT: sinsert: verified
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *sinsert(struct node *h, struct node *e)
/*@ requires \valid(e) && \list(next, h) && !(h -next*-> e) && \sorted(next, d, h, NULL);
    ensures \list(next, \result) && \sorted(next, d, \result, NULL) && e \in \cells(next, \result, NULL); @*/
{
  if (h == NULL || e->d <= h->d) { e->next = h; return e; }
  struct node *c = h;
  /*@ loop invariant c != NULL && h -next*-> c && \list(next, h) && \sorted(next, d, h, NULL) && !(h -next*-> e) && c->d < e->d; @*/
  while (c->next != NULL && c->next->d < e->d) c = c->next;
  e->next = c->next;
  c->next = e;
  return h;
}
