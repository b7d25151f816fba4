// RUN: verify --svcomp valid-memsafety --data-model ILP32 --timeout 60 %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1

/* A tree is freed along the links to the parent. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right, *up; };

int main(void)
{
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) {
    struct tree *t = malloc(sizeof *t), *above = NULL, **where = &root;
    while (*where) {
      above = *where;
      where = __VERIFIER_nondet_int() ? &above->left : &above->right;
    }
    t->left = NULL;
    t->up = above;
    *where = t;
  }
  struct tree *at = root;
  while (at) {
    if (at->left)
      at = at->left;
    else if (at->right)
      at = at->right;
    else {
      struct tree *above = at->up;
      if (above && above->left == at)
        above->left = NULL;
      else if (above)
        above->right = NULL;
      free(at);
      at = above;
    }
  }
  return 0;
}
