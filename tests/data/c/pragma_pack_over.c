// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
#pragma pack(push, 1)
#pragma pack(pop)
struct s { char a; int b; };
_Pragma("GCC diagnostic push") _Pragma("once")
#pragma region one
#pragma STDC FP_CONTRACT OFF
int main(void) { assert(sizeof(struct s) == 8); return 0; }
