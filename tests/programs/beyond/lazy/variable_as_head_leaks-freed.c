// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
// The list hangs on a struct variable, so that appending needs no special case.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct item { int mark; struct item *next; };

int main(void) {
  struct item head;
  struct item *last = &head;
  head.mark = 0;
  head.next = NULL;
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    i->mark = 1;
    i->next = NULL;
    last->next = i;
    last = i;
  }
  struct item *i = &head;
  while (i) {
    struct item *gone = i;
    if (i->mark > 1) reach_error();
    i = i->next;
    free(gone);
  }
  return 0;
}
