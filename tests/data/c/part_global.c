// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next; };
struct item { int value; struct link link; };
struct item g;
int main(void) {
  struct link *l = &g.link;
  assert(l->next == 0 && g.value == 0);
  l->next = l;
  assert(g.link.next == &g.link);
  return 0;
}
