// RUN: verify %s
// EXPECT: :mirror: verified
// EXPECT: :insert: verified
// EXPECT: :insert_wrong: violated
// EXPECT: :destroy: verified
// EXPECT: :destroy_wrong: violated
// EXPECT: :destroy_twice: violated
// EXPECT: :copy: verified
// EXPECT: :copy_wrong: violated
// EXPECT: :map: verified
// EXPECT: :map_wrong: violated
// EXPECT: :drop_least: verified
// EXPECT: :drop_least_wrong: violated
// EXPECT: :along: verified
// EXPECT: :along_wrong: violated
// EXPECT: :into_list: violated
// EXPECT: :shared: violated
// STATUS: 1
//
// Functions that change the links of a tree and call themselves: a call changes only what it is given. Two parameters
// may lead to the same tree (`shared`, `into_list`).
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };

/*@ requires \tree(left, right, t); ensures \tree(left, right, t); @*/
void mirror(struct tree *t)
{
  if (!t) return;
  mirror(t->left);
  mirror(t->right);
  struct tree *x = t->left;
  t->left = t->right;
  t->right = x;
}

/*@ requires \tree(left, right, t); ensures \tree(left, right, \result) && \result != \null; @*/
struct tree *insert(struct tree *t, int k)
{
  if (!t) {
    t = malloc(sizeof *t);
    t->key = k;
    t->left = t->right = NULL;
    return t;
  }
  if (k < t->key) t->left = insert(t->left, k);
  else t->right = insert(t->right, k);
  return t;
}
/*@ requires \tree(left, right, t); ensures \tree(left, right, \result) && \result != \null; @*/
struct tree *insert_wrong(struct tree *t, int k)
{
  if (!t) {
    t = malloc(sizeof *t);
    t->key = k;
    t->left = t->right = NULL;
    return t;
  }
  t->left = t->right = insert_wrong(t->left, k);
  return t;
}

/*@ requires \tree(left, right, t); @*/
void destroy(struct tree *t) { if (t) { destroy(t->left); destroy(t->right); free(t); } }
/*@ requires \tree(left, right, t); @*/
void destroy_wrong(struct tree *t) { if (t) { destroy_wrong(t->left); free(t); destroy_wrong(t->right); } }
/*@ requires \tree(left, right, t); @*/
void destroy_twice(struct tree *t) { if (t) { destroy_twice(t->left); destroy_twice(t->left); free(t); } }

/*@ requires \tree(left, right, t); assigns \nothing; ensures \tree(left, right, \result); @*/
struct tree *copy(struct tree *t)
{
  if (!t) return NULL;
  struct tree *n = malloc(sizeof *n);
  n->key = t->key;
  n->left = copy(t->left);
  n->right = copy(t->right);
  return n;
}
/*@ requires \tree(left, right, t); assigns \nothing; ensures \tree(left, right, \result); @*/
struct tree *copy_wrong(struct tree *t)
{
  if (!t) return NULL;
  struct tree *n = malloc(sizeof *n);
  n->key = t->key;
  n->left = copy_wrong(t->left);
  n->right = n->left;
  return n;
}

/*@ requires \tree(left, right, t); ensures \tree(left, right, t); @*/
void map(struct tree *t, int by)
{
  if (!t) return;
  t->key += by;
  map(t->left, by);
  map(t->right, by);
}
/*@ requires \tree(left, right, t); ensures \tree(left, right, t); @*/
void map_wrong(struct tree *t, int by)
{
  if (!t) return;
  t->key += by;
  if (by == 7) t->left = t->right;
  map_wrong(t->left, by);
  map_wrong(t->right, by);
}

/*@ requires \tree(left, right, t) && t != \null; ensures \tree(left, right, \result); @*/
struct tree *drop_least(struct tree *t)
{
  if (!t->left) {
    struct tree *r = t->right;
    free(t);
    return r;
  }
  t->left = drop_least(t->left);
  return t;
}
/*@ requires \tree(left, right, t) && t != \null; ensures \tree(left, right, \result); @*/
struct tree *drop_least_wrong(struct tree *t)
{
  if (!t->left) {
    free(t);
    return t->right;
  }
  t->left = drop_least_wrong(t->left);
  return t;
}

/*@ requires \tree(left, right, t); @*/
void along(struct tree *t)
{
  while (t) {
    struct tree *r = t->right;
    along(t->left);
    free(t);
    t = r;
  }
}
/*@ requires \tree(left, right, t); @*/
void along_wrong(struct tree *t)
{
  while (t) {
    struct tree *r = t->right;
    along_wrong(t->left);
    free(t->left);
    free(t);
    t = r;
  }
}

/*@ requires \tree(left, right, t) && \tree(left, right, l); ensures \tree(left, right, \result) && \tree(left, right, t); @*/
struct tree *into_list(struct tree *t, struct tree *l)
{
  if (!t) return l;
  l = into_list(t->right, l);
  t->right = l;
  return into_list(t->left, t);
}

/*@ requires \tree(left, right, a) && \tree(left, right, b); @*/
void shared(struct tree *a, struct tree *b)
{
  if (a) { shared(a->left, b); free(a); }
  if (b) b->key = 1;
}
