// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated
// STATUS: 1

// 255 has eight of them.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  unsigned u = __VERIFIER_nondet_uint() & 0xff;
  unsigned swapped = (u << 4 | u >> 4) & 0xff;
  assert(((swapped << 4 | swapped >> 4) & 0xff) == u);
  int x = __VERIFIER_nondet_int();
  short s = (short)(x & 0xffff);
  assert((unsigned short)s == ((unsigned)x & 0xffffu));
  int bits = 0;
  for (unsigned rest = u; rest; rest &= rest - 1)
    bits++;
  assert(bits <= 7);
  return 0;
}
