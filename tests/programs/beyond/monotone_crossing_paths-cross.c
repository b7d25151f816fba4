// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: f: violated
// STATUS: 1
/* Paths of two fields to the result that have a cell in common before it. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *up; };
/*@ requires \valid(x);
    ensures  x -next*-> \result ==> !(x -up*-> \result);
@*/
struct node *f(struct node *x)
{
  struct node *m = malloc(sizeof *m), *z = malloc(sizeof *z);
  m->next = z;
  m->up = z;
  z->next = NULL;
  z->up = NULL;
  x->next = m;
  x->up = m;
  return z;
}
