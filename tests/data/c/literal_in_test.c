// RUN: verify --timeout 10 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct i { int a; };
int main(void) {
  struct i *p;
  if ((p = &(struct i){1})->a == 1) p->a = 2;
  return p->a; /* the statement was a block of its own */
}
