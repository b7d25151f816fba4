// RUN: verify --engine vc --timeout 120 %s
// EXPECT: setd: verified
// EXPECT: two: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
/*@ requires \valid(x); assigns x->d; ensures x->d == v; @*/
void setd(struct node *x, int v) { x->d = v; }
/*@ requires \list(next, h) && h != NULL; assigns h->d, h->next->d; ensures h->d == 1 && (h->next != NULL ==> h->next->d == 2); @*/
void two(struct node *h) { setd(h, 1); setd(h->next, 2); }
