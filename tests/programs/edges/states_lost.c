// RUN: verify --quiet --svcomp valid-memsafety --timeout 5 %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1

// The state of the loop comes back, and a cell is lost in every round.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  char *p = NULL;
  while (__VERIFIER_nondet_int()) {
    p = malloc(1);
    if (__VERIFIER_nondet_int()) { free(p); }
    p = NULL;
  }
  return 0;
}
