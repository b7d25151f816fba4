// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: tree_add: verified
/* Row Tree.add. Hang a new leaf into a binary tree that has no parent links.
   par is a ghost backbone: descendants of r are the cells that reach r through par.
   Engine: heaps. Expected: verified. The loop carries no invariant on purpose. */
#include <stdlib.h>

struct tnode {
  int v;
  struct tnode *left, *right;
  /*@ ghost struct tnode *par; @*/
};
struct tnode *root;
/*@ shape tree(left, right); @*/

/*@ predicate forest(struct tnode *r) =
      (\forall struct tnode *u; \list(par, u)) &&
      (\forall struct tnode *u; u != NULL && u->left  != NULL ==> u->left->par  == u) &&
      (\forall struct tnode *u; u != NULL && u->right != NULL ==> u->right->par == u) &&
      (\forall struct tnode *u; u != NULL && u->par != NULL ==> u->par->left == u || u->par->right == u) &&
      (\forall struct tnode *u; u != NULL && u->left != NULL ==> u->left != u->right);

    predicate in_tree(struct tnode *r, struct tnode *u) = r != NULL && u != NULL && u -par*-> r;

    predicate closed(struct tnode *r) =
      (r != NULL ==> r->par == NULL) &&
      (\forall struct tnode *u; u != NULL && u->par != NULL ==> in_tree(r, u));
@*/

/*@ requires forest(root) && closed(root) && (\forall struct tnode *u; in_tree(root, u) ==> \valid(u));
    requires \valid(e) && !in_tree(root, e);
    ensures  forest(root) && closed(root);
    ensures  \forall struct tnode *u; in_tree(root, u) <==> (\old(in_tree(root, u)) || u == e);
@*/
void tree_add(struct tnode *e)
{
  struct tnode *n, *p;
  int went_left = 0;
  e->left = NULL;                   /* ghost: a child that loses its father gets par = NULL (here there is none) */
  e->right = NULL;
  n = root;
  p = NULL;
  /* all automatic in the paper */
  /*@ track (struct tnode *v) in_tree(root, v);
      track (struct tnode *v) \old(in_tree(root, v));
      track (struct tnode *v) in_tree(n, v);
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
  } else if (went_left) {
    p->left = e;
    /*@ ghost e->par = p; @*/
  } else {
    p->right = e;
    /*@ ghost e->par = p; @*/
  }
}
