// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { int data; struct T *next; };
int main() {
  struct T *l = malloc(sizeof *l), *x, *y;
  l->next = NULL; l->data = 0;
  while (__VERIFIER_nondet_int()) {
    int d = __VERIFIER_nondet_int() ? 1 : 0;
    x = l;
    while (x->next != NULL && x->next->data < d) x = x->next;
    y = malloc(sizeof *y); y->data = d; y->next = x->next; x->next = y;
  }
  x = l;
  while (x != NULL && x->data == 0) x = x->next;
  while (x != NULL) { if (x->data == 0) reach_error(); x = x->next; }
  while (l) { x = l->next; free(l); l = x; }
  return 0;
}
