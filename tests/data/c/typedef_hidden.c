// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
typedef int T;
typedef struct node { int v; } node;
int main(void) {
  T T = 3, *p = &T;
  node node = { 4 }, *q = &node;
  assert(T * 2 == 6 && (T) == 3 && *p == 3 && q->v == 4);
  { enum { T = 7 }; struct T { char c; }; assert(T == 7 && sizeof(struct T) == 1); goto T; }
T: for (int T = 0; T < 2; T++) node.v += T;
  assert(node.v == 5);
  return 0;
}
