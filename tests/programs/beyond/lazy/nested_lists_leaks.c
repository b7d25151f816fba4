// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
/* A list of lists is built and freed completely. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct in { struct in *n; };
struct out { struct out *n; struct in *sub; };
int main(void) {
  struct out *o = NULL, *x; struct in *i;
  while (__VERIFIER_nondet_int()) {
    x = malloc(sizeof *x); x->sub = NULL; x->n = o; o = x;
    while (__VERIFIER_nondet_int()) { i = malloc(sizeof *i); i->n = o->sub; o->sub = i; }
  }
  while (o) {
    while (o->sub) { i = o->sub; o->sub = i->n; free(i); }
    x = o; o = o->n; free(x);
  }
  return 0;
}
