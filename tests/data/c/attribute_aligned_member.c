// expect: violated or unknown
#include <assert.h>
struct al { char c __attribute__((aligned(16))); int i; };
int main(void) { assert(sizeof(struct al) == 8); return 0; }
