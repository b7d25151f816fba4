// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
#define N 3
#pragma push_macro("N")
#undef N
#define N 4
enum { FOUR = N };
#pragma pop_macro("N")
int main(void) { assert(FOUR == 4 && N == 3); return 0; }
