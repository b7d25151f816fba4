// expect: unknown
#include <assert.h>
int main(void) { assert(sizeof(L"abc") == 4); return 0; }
