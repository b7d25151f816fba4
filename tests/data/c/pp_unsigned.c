// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
#include <limits.h>
int main(void) {
  int wrong = 0;
#if -1 > 0u
  wrong += 1;
#endif
#if ULONG_MAX > 4294967295
  wrong += 2;
#endif
#if (2 || 1 / 0) && (0 ? 1 % 0 : -1 > 0ull) && 'ab' == 24930 && '\377' < 0
  wrong += 4;
#endif
  assert(wrong != 7);
  return 0;
}
