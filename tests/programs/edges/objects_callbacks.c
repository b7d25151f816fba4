// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: verified

#include <stdlib.h>
struct list { struct item { void *key; struct item *next; } *head; int (*cmp)(const void *, const void *); void (*drop)(void *); };
static int cmp_int(const void *a, const void *b) { const int *x = a, *y = b; return *x < *y ? -1 : *x > *y; }
static void drop_int(void *p) { free(p); }
static void insert(struct list *l, void *k) { struct item **pp = &l->head; while (*pp && l->cmp((*pp)->key, k) < 0) pp = &(*pp)->next; struct item *n = malloc(sizeof *n); n->key = k; n->next = *pp; *pp = n; }
static void clear(struct list *l) { while (l->head) { struct item *n = l->head; l->head = n->next; if (l->drop) l->drop(n->key); free(n); } }
static int *box(int v) { int *p = malloc(sizeof(int)); *p = v; return p; }
int main(void) {
  struct list l = { NULL, cmp_int, drop_int };
  insert(&l, box(3)); insert(&l, box(1)); insert(&l, box(2));
  int ok = *(int *)l.head->key == 1 && *(int *)l.head->next->key == 2;
  clear(&l);
  return ok ? 0 : *(int *)0;
}
