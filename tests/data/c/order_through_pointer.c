// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
int main(void) { int i = 1; int *p = &i; *p = i++; assert(i == 1); return 0; }
