// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct i { int a; int b; };
int main(void) {
  struct i *p[2];
  for (int k = 0; k < 2; k++) {
    struct i *q = &(struct i){k, 0};
    q->b = 1;
    p[k] = q;
  }
  return p[0]->a; /* its block was left */
}
