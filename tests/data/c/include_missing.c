// expect: rejected
// nothing is verified
#include <missing.h>
int main(void) {
#ifdef FROM_MISSING
  __builtin_trap();
#endif
  return 0;
}
