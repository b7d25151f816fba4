// RUN: verify --check memsafety %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
struct shape { int kind; int (*area)(struct shape *); void (*drop)(struct shape *); };
struct node { struct node *next; int v; };
static int area_a(struct shape *s) { return s->kind; }
static int area_b(struct shape *s) { return s->kind * 2; }
static void drop(struct shape *s) { free(s); }
static struct shape *mk(int k, int (*f)(struct shape *)) { struct shape *s = malloc(sizeof *s); s->kind = k; s->area = f; s->drop = drop; return s; }
static void each(struct node *l, void (*f)(struct node *, void *), void *arg) { while (l) { f(l, arg); l = l->next; } }
static void sum(struct node *n, void *arg) { int *total = arg; *total += n->v; }
int main(void) {
  struct shape *s = mk(3, __VERIFIER_nondet_int() ? area_a : area_b);
  int a = s->area(s);
  if (a != 3 && a != 6) *(int *)0 = 1;
  s->drop(s); s->drop(s);
  struct node n2 = { NULL, 2 }, n1 = { &n2, 1 };
  int total = 0;
  each(&n1, sum, &total);
  if (total != 3) return *(int *)0;
  return 0;
}
