// RUN: verify --timeout 10 %s
// EXPECT: main: verified
// STATUS: 0
#include <assert.h>
struct [[gnu::packed]] s { char a; int b; };
int main(void) { assert(sizeof(struct s) == 5); return 0; }
