// RUN: infer --timeout 60 %s
// EXPECT: requires \tree(left, right, t);
// EXPECT: ensures  \tree(left, right, \result);
// EXPECT: requires \tree(child, next, item);
// STATUS: 0
// PERSON tree_size: \tree(left, right, t)
// PERSON tree_search: \tree(left, right, t)
// PERSON tree_insert: \tree(left, right, t)
// PERSON tree_free: \tree(left, right, t)
// PERSON tree_mirror: \tree(left, right, t)
// PERSON item_count: \tree(child, next, item)
// PERSON item_release: \tree(child, next, item)
#include <stdlib.h>

struct tn { int key; struct tn *left, *right; };

int tree_size(struct tn *t)
{
  if (!t) return 0;
  return 1 + tree_size(t->left) + tree_size(t->right);
}

struct tn *tree_search(struct tn *t, int k)
{
  if (t == NULL || t->key == k) return t;
  if (k < t->key) return tree_search(t->left, k);
  return tree_search(t->right, k);
}

struct tn *tree_insert(struct tn *t, int k)
{
  if (t == NULL) {
    t = malloc(sizeof(struct tn));
    t->key = k;
    t->left = NULL;
    t->right = NULL;
    return t;
  }
  if (k < t->key) t->left = tree_insert(t->left, k);
  else if (k > t->key) t->right = tree_insert(t->right, k);
  return t;
}

void tree_free(struct tn *t)
{
  if (t) {
    tree_free(t->left);
    tree_free(t->right);
    free(t);
  }
}

void tree_mirror(struct tn *t)
{
  if (t == NULL) return;
  tree_mirror(t->left);
  tree_mirror(t->right);
  struct tn *x = t->left;
  t->left = t->right;
  t->right = x;
}

struct item { int type; struct item *next, *prev, *child; };

int item_count(struct item *item)
{
  int n = 0;
  for (; item; item = item->next) n += 1 + item_count(item->child);
  return n;
}

void item_release(struct item *item)
{
  while (item) {
    struct item *next = item->next;
    if (item->child) item_release(item->child);
    free(item);
    item = next;
  }
}
