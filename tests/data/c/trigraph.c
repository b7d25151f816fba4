// expect: unknown
#include <assert.h>
int main(void) { assert(sizeof("??=") == 4); return 0; }
