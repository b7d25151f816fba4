// RUN: verify --engine vc --timeout 120 %s
// EXPECT: split: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *split(struct node *h, struct node *at)
/*@ requires \list(next, h) && h -next*-> at && at != NULL;
    ensures \list(next, h) && \list(next, \result) && \disjoint(\cells(next, h, NULL), \cells(next, \result, NULL));
    ensures \union(\cells(next, h, NULL), \cells(next, \result, NULL)) == \old(\cells(next, h, NULL)); @*/
{ struct node *r = at->next; at->next = NULL; return at; }
