// RUN: verify --engine vc --timeout 120 %s
// EXPECT: swap2: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *swap2(struct node *h)
/*@ requires h != NULL && h->next != NULL && \list(next, h);
    ensures \result == \old(h->next) && \result->next == \old(h) && \list(next, \result) && \cells(next, \result, NULL) == \old(\cells(next, h, NULL)); @*/
{ struct node *b = h->next; h->next = b->next; b->next = h; return h; }
