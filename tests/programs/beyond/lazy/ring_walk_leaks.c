// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
/* A ring is walked and freed. */
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int val; struct node *next; };
int main(void) {
  struct node *h = malloc(sizeof *h), *x;
  h->val = 2; h->next = h;
  while (__VERIFIER_nondet_int()) { x = malloc(sizeof *x); x->val = 2; x->next = h->next; h->next = x; }
  x = h;
  do { assert(x->val == 2); x = x->next; } while (x != h);
  x = h->next;
  while (x != h) { struct node *t = x->next; free(x); x = t; }
  free(h);
  return 0;
}
