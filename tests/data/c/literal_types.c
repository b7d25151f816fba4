// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
int main(void) {
  assert(sizeof 2147483647 == 4 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4 && sizeof 0x100000000 == 8);
  assert(-1 > 0x80000000 && -1 < 2147483648 && -1 > 0u && -1 < 0l && -1L > 0ul && 0xffffffff + 1 == 0);
  assert('\377' == -1 && '\x80' == -128 && 'ab' == 24930 && sizeof 'a' == 4);
  assert((char)200 == -56 && (unsigned char)-1 == 255 && (_Bool)256 == 1 && (short)65535 == -1);
  return 0;
}
