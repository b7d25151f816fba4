// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next; };
struct item { int value; struct link link; };
int main(void) {
  struct item *a = malloc(sizeof *a);
  struct link *l = &a->link;
  a->link.next = 0;
  l->next = l;
  assert(a->link.next == 0);
  return 0;
}
