// expect: violated or unknown
#include <assert.h>
int g = 0;
__attribute__((constructor)) static void init(void) { g = 1; }
int main(void) { assert(g == 0); return 0; }
