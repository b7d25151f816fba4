// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int v; struct T *next; };
int main() {
  struct T *a = malloc(sizeof *a), *b = a; a->v = 1; a->next = NULL;
  while (__VERIFIER_nondet_int()) { struct T *x = malloc(sizeof *x); x->v = 1; x->next = a; a = x; }
  free(a);
  return b->v;
}
