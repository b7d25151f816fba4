// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// EXPECT: error[include]
// REFUSE: : verified (
// STATUS: 65
// nothing is verified
#include <missing.h>
int main(void) {
#ifdef FROM_MISSING
  __builtin_trap();
#endif
  return 0;
}
