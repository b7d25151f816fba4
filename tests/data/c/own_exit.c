// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
void exit(int c) { }
int main(void) { int x = 0; if (x == 0) exit(1); assert(x == 1); return 0; }
