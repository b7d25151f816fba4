// RUN: verify --engine vc --timeout 120 %s
// EXPECT: gpop: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct node *top; int depth;
struct node *gpop(void)
/*@ requires \list(next, top);
    assigns top, depth;
    ensures \result == \old(top) && (\old(top) != NULL ==> top == \old(top->next) && depth == \old(depth) - 1) && \list(next, top); @*/
{ struct node *r = top; if (r) { top = r->next; depth++; } return r; }
