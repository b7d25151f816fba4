// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
int x asm("same");
extern int y asm("same");
int main(void) { x = 1; y = 2; assert(x == 1); return 0; }
