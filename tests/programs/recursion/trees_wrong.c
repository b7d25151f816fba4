// RUN: verify %s
// REFUSE: : verified
// STATUS: 1
//
// Recursion over trees that breaks what it promises, or loses what it owns: nothing here may be verified.
#include <stdlib.h>
struct t { int key; struct t *left, *right; };
struct t *g;
/*@ requires \tree(left, right, t); ensures \tree(left, right, t); */
void a1(struct t *t) { if (!t) return; a1(t->left); t->right = t; }
/*@ requires \tree(left, right, t); ensures \tree(left, right, \result); */
struct t *a2(struct t *t) { if (!t) return NULL; struct t *r = a2(t->left); free(r); t->left = r; return t; }
/*@ requires \tree(left, right, t) && \tree(left, right, g); */
void a3(struct t *t) { if (!t) return; a3(t->left); free(t); if (g) g->key = 1; }
/*@ requires \tree(left, right, t); ensures \tree(left, right, \result); */
struct t *a4(struct t *t) { if (!t) return NULL; struct t *l = t->left; struct t *r = a4(l); t->left = r; if (l) t->right = l; return t; }
/*@ requires \tree(left, right, t); ensures \tree(left, right, \result) && \tree(left, right, t); */
struct t *a5(struct t *t) { if (!t) return NULL; struct t *r = a5(t->left); t->right = r; return t; }
/*@ requires \tree(left, right, t); assigns \nothing; ensures \tree(left, right, \result); */
struct t *a6(struct t *t) { if (!t) return NULL; struct t *n = malloc(sizeof *n); n->key = 0; n->left = a6(t->left); n->right = t; return n; }
/*@ requires \tree(left, right, t); assigns \nothing; ensures \tree(left, right, \result); */
struct t *a7(struct t *t) { if (!t) return NULL; struct t *r = a7(t->left); if (r) free(r); return t; }
/*@ requires \tree(left, right, t); assigns \nothing; ensures \result >= 0; */
int a8(struct t *t) { if (!t) return 0; return a8(t->left) - 1; }
/*@ requires \tree(left, right, t); ensures \tree(left, right, \result); */
struct t *a9(struct t *t) { struct t n; if (!t) return NULL; n.left = n.right = NULL; n.key = 0; t->left = a9(t->left); t->right = &n; return t; }
/*@ requires \tree(left, right, t); */
void b1(struct t *t) { while (t) { struct t *n = t->left; b1(t->right); free(t); t = n; if (n) b1(n->right); } }
/*@ requires \tree(left, right, t) && t != \null; assigns t->key; */
void b2(struct t *t) { if (t->left) b2(t->left); t->key = 1; }
/*@ requires \tree(left, right, t); ensures \result == \null || \result->key == k; */
struct t *b3(struct t *t, int k) { if (!t || t->key == k) return t; struct t *r = b3(t->left, k); t->key = k + 1; if (r) r->key = k + 2; return r; }
/*@ requires \list(left, t); ensures \list(left, \result); */
struct t *b4(struct t *t) { if (!t) return NULL; t->left = b4(t->left); t->right = t->left; if (t->left) t->left->left = t; return t; }
/*@ requires \tree(left, right, t); ensures \freed(t) || t == \null; */
void b5(struct t *t) { if (!t) return; b5(t->left); if (t->key) free(t); }
