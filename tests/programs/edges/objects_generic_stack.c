// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: verified

#include <stdlib.h>
struct stack { void **dummy; struct cell *top; int n; };
struct cell { void *v; struct cell *next; };
struct pt { int x, y; }; struct nm { int len; struct nm *self; };
static struct stack *new_stack(void) { struct stack *s = calloc(1, sizeof *s); return s; }
static void push(struct stack *s, void *v) { struct cell *c = malloc(sizeof(struct cell)); c->v = v; c->next = s->top; s->top = c; s->n++; }
static void *pop(struct stack *s) { struct cell *c = s->top; void *v; if (!c) return NULL; v = c->v; s->top = c->next; s->n--; free(c); return v; }
int main(void) {
  struct stack *a = new_stack(), *b = new_stack();
  for (int i = 0; i < 3; i++) { struct pt *p = malloc(sizeof *p); p->x = i; p->y = -i; push(a, p); struct nm *m = malloc(sizeof *m); m->len = i; m->self = m; push(b, m); }
  struct pt *p; struct nm *m; int s = 0;
  while ((p = pop(a)) != NULL) { s += p->x - p->y; free(p); }
  while ((m = pop(b))) { s += m->self->len; free(m); }
  free(a); free(b);
  return s == 9 ? 0 : *(int *)0;
}
