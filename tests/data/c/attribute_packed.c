// expect: violated or unknown
#include <assert.h>
struct __attribute__((packed)) pk { char c; int i; };
int main(void) { assert(sizeof(struct pk) == 8); return 0; }
