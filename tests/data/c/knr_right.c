// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
int f(a, b) int a; int b; { return a - b; }
int main(void) { assert(f(1, 1) == 0); return 0; }
