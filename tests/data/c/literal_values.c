// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct i { int a; int b; };
struct o { struct i in; int z; };
static int sum(struct i x) { return x.a + x.b; }
static void set(struct i *x) { assert(x->a == 3 && x->b == 0); x->a = 1; }
int main(void) {
  struct i t = (struct i){1, 2};
  assert(t.a == 1 && t.b == 2);
  t = (struct i){.b = 9};
  assert(t.a == 0 && t.b == 9);
  assert((sum((struct i){3, 4}) == 7));
  set(&(struct i){3});
  struct i *p = &(struct i){5, 6};
  p->a++;
  assert(p->a == 6 && p->b == 6);
  int n = (int){5};
  assert(n == 5);
  struct o q = {1, 2, 3};
  assert(q.in.a == 1 && q.in.b == 2 && q.z == 3);
  struct o r = {.z = 4, .in.b = 7};
  assert(r.in.a == 0 && r.in.b == 7 && r.z == 4);
  return 0;
}
