// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
[[gnu::noinline]] static int f([[maybe_unused]] int n) { return 3; }
int main(void) {
  [[maybe_unused]] int x = f(1);
  switch (x) { case 3: x = 4; __attribute__((fallthrough)); case 5: x++; [[fallthrough]]; default: ; }
  assert(x == 5);
  return 0;
}
