// RUN: verify --check termination %s
// EXPECT: :up: verified
// EXPECT: :down: verified
// EXPECT: :down_stuck: violated
// EXPECT: :walk: verified
// EXPECT: :walk_any: violated
// EXPECT: :ring: verified
// EXPECT: :ring_do: verified
// EXPECT: :ring_null: violated
// EXPECT: :reverse: verified
// EXPECT: :release: verified
// EXPECT: :find: verified
// EXPECT: :find_any: violated
// EXPECT: :gcd: verified
// EXPECT: :gcd_zero: violated
// EXPECT: :nested: verified
// EXPECT: :nested_stuck: violated
// EXPECT: :half: verified
// EXPECT: :bisect: verified
// EXPECT: :bisect_stuck: violated
// EXPECT: :pair: verified
// EXPECT: :jump: verified
// EXPECT: :jump_stuck: violated
// EXPECT: :wait: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
struct tree { int key; struct tree *left, *right; };

/*@ requires \true; @*/
int up(int n) { int i = 0; while (i < n) i++; return i; }
/*@ requires \true; @*/
int down(int n) { while (n > 0) n = n - 2; return n; }
/*@ requires \true; @*/
int down_stuck(int n) { while (n > 0) { if (n == 7) n = 8; n = n - 1; } return n; }

/*@ requires \list(next, l); @*/
int walk(struct node *l) { int k = 0; while (l) { k = l->data; l = l->next; } return k; }
/*@ requires \true; @*/
int walk_any(struct node *l) { int k = 0; while (l) { k = l->data; l = l->next; } return k; }
/*@ requires \cyclic(next, l); @*/
void ring(struct node *l) { struct node *p = l->next; while (p != l) p = p->next; }
/*@ requires \cyclic(next, l); @*/
void ring_do(struct node *l) { struct node *p = l; do p = p->next; while (p != l); }
/*@ requires \cyclic(next, l); @*/
void ring_null(struct node *l) { while (l) l = l->next; }

/*@ requires \list(next, l); @*/
struct node *reverse(struct node *l)
{
  struct node *r = NULL;
  while (l) { struct node *n = l->next; l->next = r; r = l; l = n; }
  return r;
}
/*@ requires \list(next, l); @*/
void release(struct node *l) { while (l) { struct node *n = l->next; free(l); l = n; } }

/*@ requires \tree(left, right, t); @*/
struct tree *find(struct tree *t, int k)
{
  while (t && t->key != k) { if (k < t->key) t = t->left; else t = t->right; }
  return t;
}
/*@ requires \true; @*/
struct tree *find_any(struct tree *t, int k)
{
  while (t && t->key != k) { if (k < t->key) t = t->left; else t = t->right; }
  return t;
}

/*@ requires a > 0 && b > 0; @*/
int gcd(int a, int b) { while (a != b) { if (a > b) a = a - b; else b = b - a; } return a; }
/*@ requires a >= 0 && b >= 0; @*/
int gcd_zero(int a, int b) { while (a != b) { if (a > b) a = a - b; else b = b - a; } return a; }

/*@ requires \true; @*/
int nested(int n, int m)
{
  int c = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c = j;
  return c;
}
/*@ requires \true; @*/
int nested_stuck(int n, int m)
{
  int c = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) { c = j; if (j == 2) i = 0; }
  return c;
}

/*@ requires \true; @*/
unsigned half(unsigned n) { while (n != 0) n = n / 2; return n; }
/*@ requires \true; @*/
int bisect(int lo, int hi, int k)
{
  while (lo < hi) { int m = lo + (hi - lo) / 2; if (m < k) lo = m + 1; else hi = m; }
  return lo;
}
/*@ requires \true; @*/
int bisect_stuck(int lo, int hi, int k)
{
  while (lo < hi) { int m = lo + (hi - lo) / 2; if (m < k) lo = m; else hi = m; }
  return lo;
}

/*@ requires \true; @*/
void pair(int x, int y)
{
  while (x > 0) {
    if (__VERIFIER_nondet_int()) { x--; y = __VERIFIER_nondet_int(); }
    else { if (y <= 0) break; y--; }
  }
}
/*@ requires \true; @*/
int jump(int n) { again: if (n > 3) { n--; goto again; } return n; }
/*@ requires \true; @*/
int jump_stuck(int n) { again: if (n > 3) { if (n > 5) n--; goto again; } return n; }
/*@ requires \true; @*/
void wait(void) { while (__VERIFIER_nondet_int()) ; }
