// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *a = malloc(sizeof *a), *b;
  if (!a) return 0;
  b = malloc(sizeof *b);
  if (!b) { free(a); return 1; }
  a->next = b; b->next = NULL;
  free(a);
  return 0;
}
