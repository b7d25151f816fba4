// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: bst_insert: violated
// STATUS: 1
/* The search goes to the wrong side: the order of the keys is lost. */
#include <stdlib.h>

struct tnode { int v; struct tnode *left, *right, *parent; };
struct tnode *root;

/*@ predicate forest(struct tnode *r) =
      (\forall struct tnode *u; \list(parent, u)) &&
      (\forall struct tnode *u; u != NULL && u->left  != NULL ==> u->left->parent  == u) &&
      (\forall struct tnode *u; u != NULL && u->right != NULL ==> u->right->parent == u) &&
      (\forall struct tnode *u; u != NULL && u->parent != NULL ==> u->parent->left == u || u->parent->right == u) &&
      (\forall struct tnode *u; u != NULL && u->left != NULL ==> u->left != u->right);

    predicate in_tree(struct tnode *r, struct tnode *u) = r != NULL && u != NULL && u -parent*-> r;

    predicate closed(struct tnode *r) =
      (r != NULL ==> r->parent == NULL) &&
      (\forall struct tnode *u; u != NULL && u->parent != NULL ==> in_tree(r, u));

    predicate ordered(struct tnode *r) =
      (\forall struct tnode *u, *w; u != NULL && w != NULL && w->left != NULL && u -parent*-> (w->left) ==> u->v < w->v) &&
      (\forall struct tnode *u, *w; u != NULL && w != NULL && w->right != NULL && u -parent*-> (w->right) ==> w->v <= u->v);
@*/

/*@ requires forest(root) && closed(root) && ordered(root);
    requires \forall struct tnode *u; in_tree(root, u) ==> \valid(u);
    requires \valid(e) && !in_tree(root, e);
    ensures  forest(root) && closed(root) && ordered(root);
    ensures  \forall struct tnode *u; in_tree(root, u) <==> (\old(in_tree(root, u)) || u == e);
@*/
void bst_insert(struct tnode *e)
{
  struct tnode *n, *p;
  int went_left = 0;
  n = root;
  p = NULL;
  /*@ track (struct tnode *v) in_tree(root, v);
      track (struct tnode *v) in_tree(n, v);
      track (struct tnode *v) in_tree(p, v);
      track p != NULL ==> (went_left && p->left == n) || (!went_left && p->right == n);
      track p == NULL ==> n == root;
      track p != NULL ==> (went_left && e->v < p->v) || (!went_left && p->v <= e->v);
      track (struct tnode *v) v->left != NULL && p -parent*-> (v->left) ==> e->v < v->v;
      track (struct tnode *v) v->right != NULL && p -parent*-> (v->right) ==> v->v <= e->v;
  @*/
  while (n != NULL) {
    p = n;
    if (n->v < e->v) { went_left = 1; n = n->left; }
    else             { went_left = 0; n = n->right; }
  }
  e->left = NULL;
  e->right = NULL;
  e->parent = p;
  if (p == NULL)
    root = e;
  else if (went_left)
    p->left = e;
  else
    p->right = e;
}
