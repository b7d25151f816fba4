// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: rotate: verified
/* Rotate the left child of the root of a tree with father fields to the top. */
#include <stdlib.h>

struct tnode { struct tnode *left, *right, *parent; };

/*@ predicate forest(struct tnode *r) =
      (\forall struct tnode *u; \list(parent, u)) &&
      (\forall struct tnode *u; u != NULL && u->left  != NULL ==> u->left->parent  == u) &&
      (\forall struct tnode *u; u != NULL && u->right != NULL ==> u->right->parent == u) &&
      (\forall struct tnode *u; u != NULL && u->parent != NULL ==> u->parent->left == u || u->parent->right == u) &&
      (\forall struct tnode *u; u != NULL && u->left != NULL ==> u->left != u->right);

    predicate in_tree(struct tnode *r, struct tnode *u) = r != NULL && u != NULL && u -parent*-> r;
@*/

/*@ requires forest(r) && r != NULL && r->parent == NULL && r->left != NULL;
    requires \forall struct tnode *u; in_tree(r, u) ==> \valid(u);
    ensures  forest(\result) && \result == \old(r->left);
    ensures  \forall struct tnode *u; in_tree(\result, u) <==> \old(in_tree(r, u));
@*/
struct tnode *rotate(struct tnode *r)
{
  struct tnode *l = r->left;
  r->left = l->right;
  if (l->right != NULL)
    l->right->parent = r;
  l->parent = NULL;
  l->right = r;
  r->parent = l;
  return l;
}
