// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int v; struct T *next; };
int main() {
  struct T *l = NULL, *x, *p;
  while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->v = __VERIFIER_nondet_int(); x->next = l; l = x; }
  x = l; p = NULL;
  while (x) {
    if (x->v == 9) {
      struct T *d = x;
      x = x->next;
      if (p) p->next = x; else {};
      free(d);
    } else { p = x; x = x->next; }
  }
  x = l;
  while (x) { if (x->v == 9) reach_error(); x = x->next; }
  while (l) { x = l->next; free(l); l = x; }
  return 0;
}
