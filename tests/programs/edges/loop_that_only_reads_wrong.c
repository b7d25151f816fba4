// RUN: verify --quiet --check memsafety,asserts,leaks --timeout 60 %s
// EXPECT: main: violated
// STATUS: 1

// The loop has no statement where numbers are negative, and as many ways as `scanf` has answers.
#include <assert.h>
#include <stdio.h>
int main(void)
{
  int x, last = -1, smaller = 0;
  while (scanf("%d", &x) == 1) {
    if (x >= 0) {
      if (x < last)
        smaller++;
      last = x;
    }
  }
  assert(smaller < 2);
  return 0;
}
