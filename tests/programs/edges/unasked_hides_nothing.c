// RUN: verify --check memsafety %s
// EXPECT: annotated: violated
// EXPECT: called: violated
// EXPECT: asserted: verified
// EXPECT: divided: verified
// STATUS: 1
// What is not asked about must not hide what follows.
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; };

/*@ requires \valid(p); @*/
void annotated(struct node *p) { free(p); /*@ assert \false; @*/ p->v = 1; }

/*@ requires \valid(p); @*/
void set(struct node *p) { p->v = 1; }

/*@ requires \true; @*/
void called(struct node *p) { set(p); }

/*@ requires \true; @*/
void asserted(struct node *p) { assert(p != NULL); p->v = 1; }

/*@ requires \true; @*/
void divided(struct node *p, int n) { int k = 1 / n; if (n == 0) p->v = k; }
