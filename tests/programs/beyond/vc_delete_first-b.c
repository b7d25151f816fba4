// RUN: verify --engine vc --timeout 120 %s
// EXPECT: pop: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *pop(struct node *h)
/*@ requires \list(next, h);
    ensures \result == \old(h->next) && \list(next, \result) && \freed(\old(h)); @*/
{ struct node *n = h->next; free(h); return n; }
