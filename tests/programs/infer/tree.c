// RUN: infer --timeout 60 %s
// EXPECT: requires \tree(left, right, t);
// STATUS: 0
// PERSON tree_find: \tree(left, right, t)
// PERSON tree_minimum: \valid(t) && \tree(left, right, t)
// PERSON tree_maximum: \valid(t) && \tree(left, right, t)
// PERSON tree_rotate_left: \valid(t) && t->right != NULL && \tree(left, right, t)
// PERSON tree_rotate_right: \valid(t) && t->left != NULL && \tree(left, right, t)
// PERSON tree_new: \true
// PERSON tree_is_leaf: \valid(t)
#include <stdlib.h>

struct tn { int key; struct tn *left, *right; };

struct tn *tree_new(int key)
{
  struct tn *t = malloc(sizeof(struct tn));
  t->key = key;
  t->left = NULL;
  t->right = NULL;
  return t;
}

struct tn *tree_find(struct tn *t, int k)
{
  while (t != NULL && t->key != k) {
    if (k < t->key) t = t->left;
    else t = t->right;
  }
  return t;
}

struct tn *tree_minimum(struct tn *t)
{
  while (t->left != NULL) t = t->left;
  return t;
}

struct tn *tree_maximum(struct tn *t)
{
  while (t->right != NULL) t = t->right;
  return t;
}

struct tn *tree_rotate_left(struct tn *t)
{
  struct tn *r = t->right;
  t->right = r->left;
  r->left = t;
  return r;
}

struct tn *tree_rotate_right(struct tn *t)
{
  struct tn *l = t->left;
  t->left = l->right;
  l->right = t;
  return l;
}

int tree_is_leaf(const struct tn *t)
{
  return !t->left && !t->right;
}
