// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct T { struct T *next, *prev; int data; };
int main() {
  struct T *l = malloc(sizeof *l), *x, *y;
  l->next = NULL; l->prev = NULL; l->data = 0;
  x = l;
  while (__VERIFIER_nondet_int()) { y = malloc(sizeof *y); y->data = 0; y->next = NULL; y->prev = x; x->next = y; x = y; }
  x->data = 1;
  while (__VERIFIER_nondet_int()) {
    if (x->prev) { x->data = 0; x = x->prev; x->data = 1; }
    else if (x->next) { x->data = 1; x = x->next; x->data = 1; }
  }
  y = l; 
  while (y->data != 1) y = y->next;
  if (y != x) reach_error();
  while (l) { y = l->next; free(l); l = y; }
  return 0;
}
