// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; } *list;
int main() {
  while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->next = list; list = x; }
  while (list) { struct n *t = list->next; free(list); list = t; }
  return 0;
}
