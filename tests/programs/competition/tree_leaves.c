// RUN: verify --svcomp valid-memsafety --data-model ILP32 --timeout 60 %s
// EXPECT: VERDICT: true

/* A tree grows at its leaves and is freed leaf by leaf. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

static struct tree *leaf(void)
{
  struct tree *t = malloc(sizeof *t);
  t->left = t->right = NULL;
  return t;
}

int main(void)
{
  struct tree *root = leaf(), *at, *above;
  while (__VERIFIER_nondet_int()) {
    at = root;
    while (at->left && at->right)
      at = __VERIFIER_nondet_int() ? at->left : at->right;
    if (!at->left)
      at->left = leaf();
    else
      at->right = leaf();
  }
  while (root) {
    above = NULL;
    at = root;
    while (at->left || at->right) {
      above = at;
      at = at->left ? at->left : at->right;
    }
    if (!above)
      root = NULL;
    else if (above->left == at)
      above->left = NULL;
    else
      above->right = NULL;
    free(at);
  }
  return 0;
}
