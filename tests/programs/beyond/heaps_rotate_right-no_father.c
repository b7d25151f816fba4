// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rotate_right: violated
// STATUS: 1
/* The subtree that moves keeps its father. */
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
/*@ requires forest(root) && root != NULL && root->up == NULL && in(root, x) && x->left != NULL && (\forall struct tn *u; in(root, u) ==> \valid(u));
 ensures forest(root) && \forall struct tn *u; in(root, u) <==> \old(in(root, u)); @*/
void rotate_right(struct tn *x) {
  struct tn *y = x->left, *p = x->up;
  x->left = y->right; if (y->right != NULL) ;
  y->up = p;
  if (p == NULL) root = y; else if (p->left == x) p->left = y; else p->right = y;
  y->right = x; x->up = y; }
