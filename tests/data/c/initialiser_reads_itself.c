// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
struct p { int a, b; };
int main(void) { struct p v = { .a = 1, .b = v.a }; assert(v.b == 1); return 0; }
