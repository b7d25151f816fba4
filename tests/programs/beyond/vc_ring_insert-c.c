// RUN: verify --engine vc --timeout 120 %s
// EXPECT: rins: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
void rins(struct node *r, struct node *e)
/*@ requires \valid(r) && \valid(e) && \cyclic(next, r) && !(r -next*-> e);
    assigns r->next;
    ensures \cyclic(next, r) && r -next*-> e && r->next == e; @*/
{ e->next = r->next; r->next = e; }
