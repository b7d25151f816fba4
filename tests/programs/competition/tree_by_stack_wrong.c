// RUN: verify --svcomp valid-memsafety --data-model ILP32 --timeout 60 %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1

/* A tree is freed with a stack of the cells that are still to be visited. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

static struct tree *leaf(void)
{
  struct tree *t = malloc(sizeof *t);
  t->left = t->right = NULL;
  return t;
}

struct stack { struct stack *below; struct tree *tree; };

static struct stack *push(struct stack *s, struct tree *t)
{
  struct stack *top = malloc(sizeof *top);
  top->below = s;
  top->tree = t;
  return top;
}

int main(void)
{
  struct tree *root = leaf();
  while (__VERIFIER_nondet_int()) {
    struct tree *at = root;
    while (at->left && __VERIFIER_nondet_int())
      at = at->right ? at->right : at->left;
    if (!at->left)
      at->left = leaf();
    if (!at->right)
      at->right = leaf();
  }
  struct stack *stack = push(NULL, root);
  while (stack) {
    struct stack *top = stack;
    struct tree *t = top->tree;
    stack = top->below;
    free(top);
    if (t->left)
      stack = push(stack, t->left);
    free(t);
  }
  return 0;
}
