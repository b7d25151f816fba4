// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
#ifdef __has_include
int x = 1;
#else
int x = 2;
#endif
int main(void) { assert(x == 2); return 0; }
