// RUN: verify --timeout 10 %s
// EXPECT: main: verified
// STATUS: 0
#include <assert.h>
#pragma pack(push, 1)
struct s { char a; int b; };
#pragma pack(pop)
int main(void) { assert(sizeof(struct s) == 5); return 0; }
