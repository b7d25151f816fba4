// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
#pragma weak f = g
int g(void) { return 2; }
int main(void) { assert(g() == 2); return 0; }
