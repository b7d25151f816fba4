// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
// GCC runs the function when the scope ends.
#include <assert.h>
static void fin(int *p) { assert(*p != 1); }
int main(void) { __attribute__((cleanup(fin))) int x = 1; return x - 1; }
