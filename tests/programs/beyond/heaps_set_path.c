// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: set_path: verified
/* The path from a node to the root is marked. */
#include <stdlib.h>
struct tn { int v; struct tn *left, *right, *up; };
struct tn *root;
/*@ predicate forest(struct tn *r) =
   (\forall struct tn *u; \list(up, u)) &&
   (\forall struct tn *u; u != NULL && u->left != NULL ==> u->left->up == u) &&
   (\forall struct tn *u; u != NULL && u->right != NULL ==> u->right->up == u) &&
   (\forall struct tn *u; u != NULL && u->up != NULL ==> u->up->left == u || u->up->right == u) &&
   (\forall struct tn *u; u != NULL && u->left != NULL ==> u->left != u->right);
  predicate in(struct tn *r, struct tn *u) = r != NULL && u != NULL && u -up*-> r; @*/
/*@ requires forest(root) && in(root, x) && root->up == NULL && (\forall struct tn *u; in(root, u) ==> \valid(u));
 ensures root->v == 1 && forest(root); @*/
void set_path(struct tn *x) { while (x != NULL) { x->v = 1; x = x->up; } }
