// expect: violated or unknown
#include <assert.h>
int main(void) { int i = 1; int *p = &i; *p = i++; assert(i == 1); return 0; }
