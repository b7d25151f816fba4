// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
int x = 1;
int main(void) { int x = 2; x++; { extern int x; assert(x == 3); } return 0; }
