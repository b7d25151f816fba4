// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: count: violated
// STATUS: 1
/* It starts below zero. */
#include <stdlib.h>
struct item {
  int d; struct item *inext; };
struct head { struct head *next; struct item *items; };
/*@ requires \list(next, h) && \stable(next, h);
 requires \forall struct head *u; u \in \cells(next, h, NULL) ==> \list(inext, u->items) && \stable(inext, u->items);
 ensures \result >= 0; @*/
int count(struct head *h) { struct head *c = h; struct item *i; int n = -1;
 while (c != NULL) { i = c->items; while (i != NULL) { n = n + 1; i = i->inext; } c = c->next; } return n; }
