// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
int f(a, b) int a; int b; { return a - b; }
int main(void) { assert(f(1, 1) == 0); assert(f(2, 1) == 0); return 0; }
