// RUN: verify %s
// EXPECT: len: verified
// REFUSE: : violated
// EXPECT: the contract of `len` allows this
// STATUS: 2
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; };
/*@ requires \list(next, l); ensures \result >= 0; @*/
int len(struct node *l) { if (!l) return 0; return 1 + len(l->next); }
int main(void) { struct node *a = malloc(sizeof *a); a->next = NULL; int n = len(a); assert(n == 1); free(a); return 0; }
