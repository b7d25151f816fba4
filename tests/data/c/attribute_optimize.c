// expect: unknown
#include <assert.h>
static int __attribute__((optimize("wrapv"))) f(int n) { return n + 1; }
int main(void) { assert(f(1) == 2); return 0; }
