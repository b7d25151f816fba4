// RUN: verify --engine vc --timeout 120 %s
// EXPECT: search: violated
// STATUS: 1
// The walk steps before it looks.
struct tree { int key; struct tree *left, *right; };

/*@ requires \tree(left, right, root);
    ensures \result == NULL || \result->key == key;
    assigns \nothing; @*/
struct tree *search(struct tree *root, int key)
{
  struct tree *x = root;
  while (x->key != key) x = key < x->key ? x->left : x->right;
  return x;
}
