// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: add_leftmost: violated
// STATUS: 1
/* A subtree on the right is lost. */
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
/*@ requires forest(root) && (\forall struct tn *u; in(root, u) ==> \valid(u)) && root != NULL && root->up == NULL;
 requires \valid(e) && !in(root, e) && e->left == NULL && e->right == NULL && e->up == NULL;
 requires \forall struct tn *u; u != NULL && u->up != NULL ==> in(root, u);
 ensures forest(root);
 ensures \forall struct tn *u; in(root, u) <==> (\old(in(root, u)) || u == e); @*/
void add_leftmost(struct tn *e) { struct tn *n = root; while (n->left != NULL) n = n->left; n->right = e; e->up = n; }
