// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: parent_tree_add: verified
/* Row ParentTree.add. Hang a new leaf into a binary tree whose cells have a real parent link.
   The real field is the backbone, so no ghost is needed; the children of e are not reset, because
   closed(root) already implies that a cell outside the tree has none.
   Engine: heaps. Expected: verified. The loop carries no invariant on purpose. */
#include <stdlib.h>

struct pnode { int v; struct pnode *left, *right, *parent; };
struct pnode *root;

/*@ predicate forest(struct pnode *r) =
      (\forall struct pnode *u; \list(parent, u)) &&
      (\forall struct pnode *u; u != NULL && u->left  != NULL ==> u->left->parent  == u) &&
      (\forall struct pnode *u; u != NULL && u->right != NULL ==> u->right->parent == u) &&
      (\forall struct pnode *u; u != NULL && u->parent != NULL ==> u->parent->left == u || u->parent->right == u) &&
      (\forall struct pnode *u; u != NULL && u->left != NULL ==> u->left != u->right);

    predicate in_tree(struct pnode *r, struct pnode *u) = r != NULL && u != NULL && u -parent*-> r;

    predicate closed(struct pnode *r) =
      (r != NULL ==> r->parent == NULL) &&
      (\forall struct pnode *u; u != NULL && u->parent != NULL ==> in_tree(r, u));
@*/

/*@ requires forest(root) && closed(root) && (\forall struct pnode *u; in_tree(root, u) ==> \valid(u));
    requires \valid(e) && !in_tree(root, e);
    ensures  forest(root) && closed(root);
    ensures  \forall struct pnode *u; in_tree(root, u) <==> (\old(in_tree(root, u)) || u == e);
@*/
void parent_tree_add(struct pnode *e)
{
  struct pnode *n = root, *p = NULL;
  int went_left = 0;
  /* all automatic in the paper */
  /*@ track (struct pnode *v) in_tree(root, v);
      track (struct pnode *v) \old(in_tree(root, v));
      track (struct pnode *v) in_tree(n, v);
      track p != NULL ==> (went_left && p->left == n) || (!went_left && p->right == n);
      track p == NULL ==> n == root;
  @*/
  while (n != NULL) {
    p = n;
    if (e->v < n->v) { went_left = 1; n = n->left; }
    else             { went_left = 0; n = n->right; }
  }
  if (p == NULL) {
    root = e;
  } else {
    e->parent = p;
    if (went_left) p->left = e;
    else           p->right = e;
  }
}
