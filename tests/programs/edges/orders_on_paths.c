// RUN: verify --quiet --svcomp valid-memsafety %s
// EXPECT: main: verified (paths
// EXPECT: VERDICT: true
// STATUS: 0

// The operands of `merge` and `bin` write cells of one type, and never the same: every order gives the same list and tree.
#include <stdlib.h>
struct node { int v; struct node *left, *right; };
static struct node *leaf(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->left = n->right = NULL; return n; }
static struct node *bin(struct node *l, struct node *r) { struct node *n = leaf(l->v + r->v); n->left = l; n->right = r; return n; }
static struct node *bump(struct node *n) { if (n) { n->v++; bump(n->left); bump(n->right); } return n; }
static void drop(struct node *n) { if (n) { drop(n->left); drop(n->right); free(n); } }
int main(void)
{
  struct node *t = bin(leaf(1), bin(leaf(2), leaf(3)));
  t = bin(bump(t), bump(leaf(4)));
  int a[3] = { 1, 2, 0 }, *p = a;
  struct { int n; int *at; } box = { 2, a };
  box.at[0] = box.at[--box.n];
  if (a[0] != 2 || t->v != 12) { int *q = NULL; *q = *p; }
  drop(t);
  return 0;
}
