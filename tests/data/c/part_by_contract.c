// RUN: verify --timeout 10 %s
// EXPECT: g: verified
// EXPECT: f: unknown
// STATUS: 2
#include <stdlib.h>
struct node { int data; struct node *next; };
struct big { struct node n; int x; };
/*@ requires \valid(n); ensures \true; @*/ void g(struct node *n) { n->data = 1; }
 /*@ ensures \true; @*/ int f(struct big *b) { g(&b->n); return 0; }
