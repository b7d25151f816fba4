// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}
int main() {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = x & 7u;
  if (y > 7) reach_error();
  int z = 12; z ^= 5; z |= 2; z = z << 2; z >>= 1; z = ~z;
  if (z != -23) reach_error();
  _Bool b = __VERIFIER_nondet_bool();
  if (b != 0 && b != 1) reach_error();
  return 0;
}
