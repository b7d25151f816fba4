// RUN: verify %s
// REFUSE: : violated
// EXPECT: destroy: too-weak
// EXPECT: the contract of `destroy` allows this
// STATUS: 2
#include <stdlib.h>
struct node { int v; struct node *next; };
/*@ requires \list(next, l); @*/
void destroy(struct node *l) { if (l) { destroy(l->next); free(l); } }
