// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: remove_leftmost: violated
// STATUS: 1
/* The subtree that moves up keeps its father. */
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
/*@ requires forest(root) && root != NULL && root->up == NULL && (\forall struct tn *u; in(root, u) ==> \valid(u));
 ensures forest(root) && \forall struct tn *u; in(root, u) ==> \old(in(root, u)); @*/
void remove_leftmost() { struct tn *c = root, *p;
  while (c->left != NULL) c = c->left;
  p = c->up;
  if (p == NULL) root = c->right; else p->left = c->right;
  if (c->right != NULL) c->right->up = c;
  c->right = NULL; c->up = NULL; }
