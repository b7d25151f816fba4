// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int h; struct node *n; };
// One cell at a time; the flag says whether there is one.
int main(void)
{
  int open = 0;
  struct node *l = NULL, *x;
  while (__VERIFIER_nondet_int()) {
    if (!open) {
      x = malloc(sizeof *x);
      if (x == NULL) exit(1);
      x->n = NULL;
      l = x;
      open = 1;
    } else {
      free(l);
      l = NULL;
      open = 0;
    }
  }
  if (open) {
    if (l == NULL) reach_error();
    free(l);
  }
  return 0;
}
