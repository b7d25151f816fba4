// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <assert.h>
struct p { int a, b; };
struct o { struct p in; int c; struct p out; };
struct o g = { .out.b = 9, .in.a = 1, 2, 3, 4 };
int main(void) {
  struct o v = { .in.a = 1, 2, 3 };
  assert(v.in.a == 1 && v.in.b == 2 && v.c == 3 && v.out.a == 0);
  struct o w = { .in.a = 5, .in = { .b = 1 }, .c = 1, .c = 2 };
  assert(w.in.a == 0 && w.in.b == 1 && w.c == 2);
  assert(g.in.a == 1 && g.in.b == 2 && g.c == 3 && g.out.a == 4 && g.out.b == 9);
  struct o x = { 1, 2, 3, { 4 } };
  assert(x.in.b == 2 && x.out.a == 4 && x.out.b == 0);
  return 0;
}
