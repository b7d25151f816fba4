// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
enum wide { A = 1, B = 0x100000000, C = 0x80000000 };
enum half { D = 0x80000000u };
enum both { E = -1, F = 0xffffffff };
int main(void) {
  assert(sizeof(enum wide) == 8 && sizeof B == 8 && sizeof A == 4 && sizeof C == 8 && B > A);
  assert(sizeof(enum half) == 4 && D > 0 && -1 > D);
  assert(sizeof(enum both) == 8 && F > E && sizeof E == 4);
  return 0;
}
