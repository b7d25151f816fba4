// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
struct a { int x; int y; int z; }; struct b { int k; };
struct node { int tag; void *data; struct node *next; };
int main(void) {
  struct node *h = 0; int i;
  for (i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->tag = i % 2; n->next = h; h = n;
    if (n->tag) { struct a *p = malloc(sizeof *p); p->x = i; p->z = 7; n->data = p; } else { struct b *q = malloc(sizeof *q); q->k = i; n->data = q; } }
  int sum = 0;
  while (h) { struct node *t = h->next; if (1) sum += ((struct a *)h->data)->z; else sum += ((struct b *)h->data)->k; free(h->data); free(h); h = t; }
  return sum == 16 ? 0 : *(int *)0;
}
