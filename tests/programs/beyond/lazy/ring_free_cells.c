// RUN: verify --engine lazy --check memsafety,asserts --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *r = malloc(sizeof *r), *n, *e;
  r->next = r; r->d = 1;
  while (__VERIFIER_nondet_int()) { n = malloc(sizeof *n); n->d = 1; n->next = r->next; r->next = n; }
  n = r->next;
  while (n != r) { assert(n->d == 1); e = n; n = n->next; free(e); }
  free(r);
  return 0;
}
