// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: create[safety]: verified
// EXPECT: create[new_cells]: verified
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
struct node { int d; int c; struct node *n; };

/*@ behavior safety: ensures \list(n, \result);
    behavior new_cells: requires \valid(x); ensures \list(n, \result); ensures !(\result -n*-> x);
@*/
struct node *create(struct node *x)
{
  struct node *h = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->n = h;
    h = e;
  }
  return h;
}
