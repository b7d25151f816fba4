// expect: violated or unknown
#include <assert.h>
int main(void) { int x = 5; switch (x) { int a[2]; case 5: assert(a[0] == 0); } return 0; }
