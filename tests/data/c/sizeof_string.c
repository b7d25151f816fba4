// expect: violated
#include <assert.h>
int main(void) { assert(sizeof("abc") != 4); return 0; }
