// RUN: verify --engine lazy --check memsafety,leaks --timeout 120 %s
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
  struct node *h = NULL, *n, *p;
  while (__VERIFIER_nondet_int()) { n = malloc(sizeof *n); n->next = h; h = n; }
  if (h != NULL) {
    if (h->next == NULL) { free(h); h = NULL; }
    else { p = h; while (p->next->next != NULL) p = p->next; free(p->next); }
  }
  while (h) { n = h->next; free(h); h = n; }
  return 0;
}
