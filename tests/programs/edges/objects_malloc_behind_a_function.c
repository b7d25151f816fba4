// RUN: verify %s
// EXPECT: :push: verified

#include <stdlib.h>
struct node { int v; struct node *next; void *data; };
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
/*@ requires \list(next, h);
    ensures \list(next, \result); */
struct node *push(struct node *h, int v) { struct node *n = xmalloc(sizeof(struct node)); n->v = v; n->next = h; n->data = 0; return n; }
