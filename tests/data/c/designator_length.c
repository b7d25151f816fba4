// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
int a[] = { [2] = 1 };
int main(void) {
  int b[] = { [1 ... 3] = 7, 8, [0] = 5 };
  char c[] = { "xyz" };
  assert(sizeof a == 12 && a[0] == 0 && a[1] == 0 && a[2] == 1);
  assert(sizeof b == 20 && b[0] == 5 && b[1] == 7 && b[3] == 7 && b[4] == 8);
  assert(sizeof c == 4 && c[2] == 'z' && c[3] == 0);
  return 0;
}
