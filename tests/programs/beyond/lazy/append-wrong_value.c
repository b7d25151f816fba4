// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int v; struct T *next; };
int main() {
  struct T *a = NULL, *b = NULL, *x;
  while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->v = 1; x->next = a; a = x; }
  while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->v = 2; x->next = b; b = x; }
  if (a == NULL) a = b;
  else { x = a; while (x->next) x = x->next; x->next = b; }
  x = a;
  while (x && x->v == 1) x = x->next;
  while (x) { if (x->v != 3) reach_error(); x = x->next; }
  while (a) { x = a->next; free(a); a = x; }
  return 0;
}
