// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
int x = 3;
__asm__(".globl y\n.set y, x");
extern int y;
int main(void) { y = 4; assert(x == 3); return 0; }
