// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
int main(void) { int x = 5; switch (x) { int a[2]; case 5: assert(a[0] == 0); } return 0; }
