// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct I { struct I *next; int v; };
struct O { struct O *next; struct I *items; };
int main() {
  struct O *o = NULL, *p; struct I *i;
  while (__VERIFIER_nondet_int()) {
    p = malloc(sizeof *p); p->items = NULL; p->next = o; o = p;
    while (__VERIFIER_nondet_int()) { i = malloc(sizeof *i); i->v = 7; i->next = p->items; p->items = i; }
  }
  while (o) {
    while (o->items) { i = o->items; o->items = i->next; if (i->v != 8) reach_error(); free(i); }
    p = o->next; free(o); o = p;
  }
  return 0;
}
