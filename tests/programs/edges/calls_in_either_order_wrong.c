// RUN: verify --quiet --check memsafety,asserts,leaks %s
// EXPECT: main: violated (paths
// STATUS: 1

// From right to left the difference is 2.
#include <assert.h>
static int cells[4], used;
static void put(int v) { cells[used++] = v; }
static int take(void) { return cells[--used]; }
int main(void)
{
  put(5);
  put(3);
  put(take() - take());
  assert(cells[0] == -2);
  return 0;
}
