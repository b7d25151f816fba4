// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct i { int a; int b; };
struct o { int y; struct i in; int z; };
struct o g = {1, 2, 3, 4};
int main(void) {
  assert(g.y == 1 && g.in.a == 2 && g.in.b == 3);
  assert(g.z == 3);
  return 0;
}
