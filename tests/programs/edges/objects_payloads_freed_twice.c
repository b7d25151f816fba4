// RUN: verify --check memsafety %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
struct item { int x; };
struct node { void *data; struct node *next; };
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
struct node *push(struct node *h, void *d) { struct node *n = xmalloc(sizeof *n); n->data = d; n->next = h; return n; }
int main(void) {
  struct node *h = NULL;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) { struct item *it = xmalloc(sizeof *it); it->x = i; h = push(h, it); }
  while (h) { struct node *t = h->next; struct item *it = h->data; free(it); free(h->data); free(h); h = t; }
  return 0;
}
