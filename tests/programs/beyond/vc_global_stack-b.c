// RUN: verify --engine vc --timeout 120 %s
// EXPECT: gpush: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *top; int depth;
void gpush(struct node *e)
/*@ requires \valid(e) && \list(next, top) && !(top -next*-> e) && depth >= 0;
    assigns top, e->next;
    ensures top == e && e->next == \old(top) && depth == \old(depth) + 1 && \list(next, top); @*/
{ e->next = top; top = e; depth++; }
