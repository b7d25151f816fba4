// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
struct obj { int kind; struct obj *next; };
struct circle { struct obj o; int r; };
struct square { struct obj o; int side; int more; };
static struct obj *list;
static void add(struct obj *o, int k) { o->kind = k; o->next = list; list = o; }
static int area(struct obj *o) { if (o->kind == 2) return ((struct circle *)o)->r * 3; struct square *s = (struct square *)o; return s->side * s->side; }
int main(void) {
  for (int i = 1; i < 5; i++) { if (i & 1) { struct circle *c = malloc(sizeof *c); c->r = i; add(&c->o, 1); } else { struct square *s = malloc(sizeof *s); s->side = i; add((struct obj *)s, 2); } }
  int sum = 0; struct obj *o;
  for (o = list; o; o = o->next) sum += area(o);
  while (list) { o = list; list = list->next; free(o); }
  return sum == 3 + 4 + 9 + 16 ? 0 : *(int *)0;
}
