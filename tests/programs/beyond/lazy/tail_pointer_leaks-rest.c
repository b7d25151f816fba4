// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
// Two lists interleaved; `tail` points at the link to be written next, at first a variable.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *link; };

static struct cell *build(void) {
  struct cell *top = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *c = malloc(sizeof *c);
    c->link = top;
    top = c;
  }
  return top;
}

int main(void) {
  struct cell *a = build(), *b = build();
  struct cell *all, **tail = &all;
  while (a && b) {
    struct cell **from = __VERIFIER_nondet_int() ? &a : &b;
    struct cell *c = *from;
    *from = c->link;
    *tail = c;
    tail = &c->link;
  }
  *tail = a;
  while (all) {
    struct cell *c = all;
    all = c->link;
    free(c);
  }
  return 0;
}
