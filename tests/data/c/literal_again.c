// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct i { int a; int b; };
int main(void) {
  int n = 0, s = 0;
  while (n < 3) {
    struct i *p = &(struct i){.a = n};
    assert(p->b == 0);
    p->b = 5;
    s += p->a;
    n++;
  }
  assert(s == 3);
  return 0;
}
