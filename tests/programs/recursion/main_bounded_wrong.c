// RUN: verify --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *left, *right; };

static struct tree *build(int d)
{
  if (d <= 0) return NULL;
  struct tree *t = malloc(sizeof *t);
  t->key = d;
  t->left = build(d - 1);
  t->right = build(d - 2);
  return t;
}
static struct tree *mirror(struct tree *t)
{
  if (!t) return NULL;
  struct tree *x = mirror(t->left);
  t->left = mirror(t->right);
  t->right = x;
  return t;
}
static void release(struct tree *t) { if (!t) return; release(t->left); release(t->left); free(t); }

int main(void)
{
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  release(mirror(build(n)));
  return 0;
}
