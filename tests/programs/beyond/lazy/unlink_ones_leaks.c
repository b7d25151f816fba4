// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int h; struct node *n; };
// Cells with 1 are unlinked and freed; none must be left.
int main(void)
{
  struct node *l = NULL, *x, *p, *t;
  while (__VERIFIER_nondet_int()) {
    x = malloc(sizeof *x);
    if (x == NULL) abort();
    x->h = __VERIFIER_nondet_int() ? 1 : 2;
    x->n = l;
    l = x;
  }
  while (l != NULL && l->h == 1) {
    t = l;
    l = l->n;
    free(t);
  }
  if (l != NULL) {
    p = l;
    while (p->n != NULL) {
      if (p->n->h == 1) {
        t = p->n;
        p->n = t->n;
        free(t);
      } else {
        p = p->n;
      }
    }
  }
  for (p = l; p != NULL; p = p->n)
    if (p->h == 1) reach_error();
  while (l != NULL) {
    t = l->n;
    free(l);
    l = t;
  }
  return 0;
}
