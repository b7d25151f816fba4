// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

// 65536 times itself is 0.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned side = __VERIFIER_nondet_uint();
  if (side > 70000)
    return 0;
  unsigned area = side * side;
  assert(area >= side);
  return 0;
}
