// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
int main(void) { assert(sizeof("abc") != 4); return 0; }
