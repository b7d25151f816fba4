// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
int g = 0;
__attribute__((constructor)) static void init(void) { g = 1; }
int main(void) { assert(g == 0); return 0; }
