// RUN: verify --engine vc --timeout 120 %s
// EXPECT: dins: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct dn { struct dn *next, *prev; int d; };
void dins(struct dn *a, struct dn *e)
/*@ requires \valid(a) && \valid(e) && a != e && (a->next != NULL ==> a->next->prev == a) && a->next != e;
    assigns a->next, e->next, e->prev, a->next->prev;
    ensures a->next == e && e->prev == a && e->next == \old(a->next) && (e->next != NULL ==> e->next->prev == e); @*/
{
  e->next = a->next; e->prev = a;
  ;
  a->next = e;
}
