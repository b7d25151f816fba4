// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
#include <assert.h>

struct T { struct T *next; int k; };
int main() {
  struct T *l = NULL, *x; int i;
  for (i = 0; i < 10; i++) { x = malloc(sizeof *x); x->k = 5; x->next = l; l = x; }
  assert(i == 10);
  while (l) { assert(l->k == 5); x = l->next; free(l); l = x; }
  return 0;
}
