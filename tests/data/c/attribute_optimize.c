// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
static int __attribute__((optimize("wrapv"))) f(int n) { return n + 1; }
int main(void) { assert(f(1) == 2); return 0; }
