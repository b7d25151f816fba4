// expect: violated or unknown
#include <assert.h>
typedef unsigned byte __attribute__((mode(QI)));
int main(void) { byte b = 255; b++; assert(b == 256); return 0; }
