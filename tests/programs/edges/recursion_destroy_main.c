// RUN: verify %s
// REFUSE: : violated
// EXPECT: main: verified
// STATUS: 2
#include <stdlib.h>
struct node { int v; struct node *next; };
/*@ requires \list(next, l); @*/
void destroy(struct node *l) { if (l) { destroy(l->next); free(l); } }
int main(void) { struct node *a = malloc(sizeof *a); a->next = NULL; destroy(a); return 0; }
