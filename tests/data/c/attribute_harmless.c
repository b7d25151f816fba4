// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
static int f(int n) __attribute__((noinline, unused));
static __attribute__((const)) int f(int n) { return n + 1; }
struct node { int key __attribute__((unused)); } __attribute__((may_alias));
int main(void) { int a __attribute__((unused)) = f(1); struct node n = { a }; assert(n.key == 2); return 0; }
