// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
struct al { char c __attribute__((aligned(16))); int i; };
int main(void) { assert(sizeof(struct al) == 8); return 0; }
