// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
static int pick(int v) { int a[2] = { 1, 2 }; a[0] = v; return a[0]; }
int main(void) { int a[2] = { 1, 1 }; int r = a[0] + pick(5); assert(r == 6); return 0; }
