// RUN: verify --engine lazy --check memsafety,asserts --timeout 120 %s
// EXPECT: main: verified
/* Two counters in step: the invariant is a linear equation that no condition of the program mentions. */
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *n; };
int main(void) {
  struct node *l = NULL, *x;
  int a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    x = malloc(sizeof *x); x->n = l; l = x;
    a = a + 2; b = b + 3;
  }
  assert(3 * a == 2 * b);
  return 0;
}
