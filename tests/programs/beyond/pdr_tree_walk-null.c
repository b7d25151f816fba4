// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: tree_walk: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

struct tree { int k; struct tree *left; struct tree *right; };

/*@ requires \tree(left, right, t);
    ensures \tree(left, right, t);
@*/
void tree_walk(struct tree *t, int k)
{
  while (1) {
    if (k < t->k)
      t = t->left;
    else
      t = t->right;
  }
}
