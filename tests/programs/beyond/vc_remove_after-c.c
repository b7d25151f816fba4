// RUN: verify --engine vc --timeout 120 %s
// EXPECT: cut: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
void cut(struct node *p)
/*@ requires \valid(p)  && \list(next, p);
    assigns p->next;
    ensures p->next == \old(p->next->next) && \list(next, p) && \freed(\old(p->next)); @*/
{ struct node *t = p->next; p->next = t->next; free(t); }
