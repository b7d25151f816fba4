// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
#define MAX(a, b) ({ typeof(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int main(void) { int x = 3; long y = 4; assert(MAX(x, y) == 4 && sizeof(MAX(x, x)) == 4); return 0; }
