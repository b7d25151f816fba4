// expect: violated or unknown
#include <assert.h>
static void abort(void) { }
int main(void) { int x = 0; if (x == 0) abort(); assert(x == 1); return 0; }
