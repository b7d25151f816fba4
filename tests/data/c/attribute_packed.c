// RUN: verify --timeout 10 %s
// EXPECT: main: unknown
// STATUS: 2
#include <assert.h>
struct __attribute__((packed)) pk { char c; int i; };
int main(void) { assert(sizeof(struct pk) == 8); return 0; }
