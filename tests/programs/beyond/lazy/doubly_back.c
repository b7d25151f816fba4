// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct N { struct N *next, *prev; int d; };
int main() {
  struct N *x = malloc(sizeof *x), *y;
  x->next = NULL; x->prev = NULL; x->d = 0;
  y = x;
  while (__VERIFIER_nondet_int()) {
    struct N *z = malloc(sizeof *z);
    z->next = NULL; z->prev = y; z->d = 0;
    y->next = z; y = z;
  }
  while (y->prev != NULL) { if (y->prev->next != y) reach_error(); y = y->prev; }
  if (y != x) reach_error();
  while (y) { struct N *z = y->next; free(y); y = z; }
  return 0;
}
