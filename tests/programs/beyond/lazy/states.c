// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int s; struct T *next; };
int main() {
  int s = 0; struct T *l = NULL, *x;
  while (__VERIFIER_nondet_int()) {
    x = malloc(sizeof *x); x->next = l; l = x;
    switch (s) { case 0: x->s = 0; s = 1; break; case 1: x->s = 1; s = 2; break; default: x->s = 2; s = 0; }
  }
  while (l) { if (l->s > 2) reach_error(); if (l->s < 0) reach_error(); x = l->next; free(l); l = x; }
  return 0;
}
