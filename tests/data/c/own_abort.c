// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <assert.h>
static void abort(void) { }
int main(void) { int x = 0; if (x == 0) abort(); assert(x == 1); return 0; }
