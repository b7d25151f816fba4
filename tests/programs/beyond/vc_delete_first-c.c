// RUN: verify --engine vc --timeout 120 %s
// EXPECT: pop: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *pop(struct node *h)
/*@ requires h != NULL && \list(next, h);
    ensures \result == \old(h->next) && \list(next, \result) && \freed(\old(h)); @*/
{ struct node *n = h->next; ; return n; }
