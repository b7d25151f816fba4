// RUN: verify --timeout 120 --svcomp valid-memcleanup %s
// EXPECT: VERDICT: false(valid-memcleanup)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; } *list;
int main() {
  list = malloc(sizeof *list); list->next = NULL;
  if (__VERIFIER_nondet_int()) exit(1);
  free(list);
  return 0;
}
