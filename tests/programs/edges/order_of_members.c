// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: verified

// A member that counts and the array beside it, or a pointer to another type, are never one object.
#include <stdlib.h>
struct stack { int top; int items[4]; };
struct vector { int *data; size_t len; };
int main(void) {
  struct stack s = { 0, { 0 } };
  s.items[s.top++] = 3;
  struct stack *p = &s;
  p->items[p->top++] = 4;
  struct vector v = { malloc(3 * sizeof(int)), 0 };
  struct vector *w = &v;
  if (!v.data) return 0;
  w->data[w->len++] = 4;
  int r = v.data[0] == 4 && v.len == 1 && s.top == 2;
  free(v.data);
  return r ? 0 : *(int *)0;
}
