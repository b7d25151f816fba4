// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { struct T *next; };
int main() {
  struct T *l = NULL, *x; int n = 0;
  while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->next = l; l = x; n = n + 1; }
  if (l == NULL) { if (n != 1) reach_error(); }
  while (l) { x = l->next; free(l); l = x; }
  return 0;
}
