// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
_Pragma("pack(1)")
struct s { char a; int b; };
int main(void) { assert(sizeof(struct s) == 8); return 0; }
