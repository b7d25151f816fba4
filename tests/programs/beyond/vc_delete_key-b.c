// RUN: verify --engine vc --timeout 120 %s
// EXPECT: del: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *del(struct node *h, int k)
/*@ requires \list(next, h);
    ensures \list(next, \result) && \cells(next, \result, NULL) \subset \old(\cells(next, h, NULL)); @*/
{
  struct node *c = h, *p = NULL;
  /*@ loop invariant \list(next, h) && h -next*-> c && (p == NULL ==> c == h) && (p != NULL ==> h -next*-> p && p->next == c);
      loop invariant \cells(next, h, NULL) == \old(\cells(next, h, NULL)); @*/
  while (c != NULL && c->d != k) { p = c; c = c->next; }
  ;
  if (p == NULL) h = c->next; else p->next = c->next;
  free(c);
  return h;
}
