// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: delete_leaf: verified
/* A leaf is cut off a tree with fathers. No predicates are given. */
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
/*@ requires forest(root) && (\forall struct tn *u; in(root, u) ==> \valid(u)) && in(root, e) && root->up == NULL;
 requires e->left == NULL && e->right == NULL;
 ensures forest(root);
 ensures \forall struct tn *u; in(root, u) <==> (\old(in(root, u)) && u != e); @*/
void delete_leaf(struct tn *e) { struct tn *p = e->up;
 if (p == NULL) { root = NULL; return; }
 if (p->left == e) p->left = NULL; else p->right = NULL;
 e->up = NULL; }
