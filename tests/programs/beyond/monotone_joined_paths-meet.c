// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: f: violated
// STATUS: 1
/* Two paths to the result that have a cell in common before it. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
/*@ requires \valid(x) && \valid(y) && x != y;
    ensures  !(x -next*-> \result && y -next*-> \result);
@*/
struct node *f(struct node *x, struct node *y)
{
  struct node *m = malloc(sizeof *m), *z = malloc(sizeof *z);
  m->next = z;
  z->next = NULL;
  x->next = m;
  y->next = m;
  return z;
}
