// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rotate: verified
/* Rotation of a tree without father fields; the ghost father follows. */
#include <stdlib.h>
struct gt { int v; struct gt *left, *right; /*@ ghost struct gt *par; @*/ };
struct gt *root;
/*@ predicate forest(struct gt *r) =
   (\forall struct gt *u; \list(par, u)) &&
   (\forall struct gt *u; u != NULL && u->left != NULL ==> u->left->par == u) &&
   (\forall struct gt *u; u != NULL && u->right != NULL ==> u->right->par == u) &&
   (\forall struct gt *u; u != NULL && u->par != NULL ==> u->par->left == u || u->par->right == u) &&
   (\forall struct gt *u; u != NULL && u->left != NULL ==> u->left != u->right);
  predicate in(struct gt *r, struct gt *u) = r != NULL && u != NULL && u -par*-> r; @*/
/*@ requires forest(root) && root != NULL && root->par == NULL && root->left != NULL && (\forall struct gt *u; in(root, u) ==> \valid(u));
 ensures forest(root) && \forall struct gt *u; in(root, u) <==> \old(in(root, u)); @*/
void rotate() { struct gt *r = root, *l = r->left;
  r->left = l->right;
  /*@ ghost if (l->right != NULL) l->right->par = r; @*/
  /*@ ghost l->par = NULL; @*/
  l->right = r;
  /*@ ghost r->par = l; @*/
  root = l; }
