// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
int main(void) { int x = 5; int a[5] = { 1, 2, 3 }; switch (x) { case 0: a[0] = 7; } assert(a[0] == 1 && a[4] == 0); return 0; }
