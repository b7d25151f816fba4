// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
typedef unsigned byte __attribute__((mode(QI)));
int main(void) { byte b = 255; b++; assert(b == 256); return 0; }
