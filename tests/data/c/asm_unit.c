// expect: unknown
#include <assert.h>
int x = 3;
__asm__(".globl y\n.set y, x");
extern int y;
int main(void) { y = 4; assert(x == 3); return 0; }
