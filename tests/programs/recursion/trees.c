// RUN: verify %s
// EXPECT: :size: verified
// EXPECT: :size_wrong: violated
// EXPECT: :find: verified
// EXPECT: :find_wrong: violated
// EXPECT: :least: verified
// EXPECT: :least_wrong: violated
// EXPECT: :change: verified
// STATUS: 1
// RUN: verify --check termination %s
// EXPECT: :size: verified
// EXPECT: :find: verified
// EXPECT: :least: verified
// STATUS: 2
struct tree { int key; struct tree *left, *right; };

/*@ requires \tree(left, right, t); decreases \tree(left, right, t); assigns \nothing; ensures \result >= 0; @*/
int size(struct tree *t) { if (!t) return 0; return 1 + size(t->left) + size(t->right); }
/*@ requires \tree(left, right, t); decreases \tree(left, right, t); assigns \nothing; ensures \result >= 1; @*/
int size_wrong(struct tree *t) { if (!t) return 0; return 1 + size_wrong(t->left) + size_wrong(t->right); }

/*@ requires \tree(left, right, t); decreases \tree(left, right, t); assigns \nothing;
    ensures \result == \null || \result->key == k; @*/
struct tree *find(struct tree *t, int k)
{
  if (!t || t->key == k) return t;
  if (k < t->key) return find(t->left, k);
  return find(t->right, k);
}
/*@ requires \tree(left, right, t); decreases \tree(left, right, t); assigns \nothing;
    ensures \result == \null || \result->key == k; @*/
struct tree *find_wrong(struct tree *t, int k)
{
  if (!t || t->key >= k) return t;
  return find_wrong(t->right, k);
}

/*@ requires \tree(left, right, t) && t != \null; decreases \tree(left, right, t); assigns \nothing;
    ensures \result != \null && \result->left == \null; @*/
struct tree *least(struct tree *t) { if (!t->left) return t; return least(t->left); }
/*@ requires \tree(left, right, t); decreases \tree(left, right, t); assigns \nothing; @*/
struct tree *least_wrong(struct tree *t) { if (!t->left) return t; return least_wrong(t->left); }

/*@ requires \tree(left, right, t); @*/
void change(struct tree *t)
{
  if (!t) return;
  struct tree *x = t->left;
  t->left = t->right;
  t->right = x;
  change(t->left);
  change(t->right);
}
