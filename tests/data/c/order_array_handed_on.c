// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
static int set(int a[], int v) { a[0] = v; return v; }
int main(void) { int a[2] = { 1, 1 }; int r = a[0] + set(a, 5); assert(r == 6); return 0; }
