// RUN: verify --engine vc --timeout 120 %s
// EXPECT: push: verified
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *push(struct node *h, struct node *e)
/*@ requires \valid(e) && \list(next, h) && !(h -next*-> e);
    assigns e->next;
    ensures \list(next, \result) && \result == e && \cells(next, \result, NULL) == \union(\old(\cells(next, h, NULL)), {e}); @*/
{ e->next = h; return e; }
