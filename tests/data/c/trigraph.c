// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
int main(void) { assert(sizeof("??=") == 4); return 0; }
