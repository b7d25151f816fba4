// RUN: verify --engine lazy --check memsafety,asserts --timeout 120 %s
// EXPECT: main: verified
/* Cells move between two lists and change their value with it. */
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int val; struct node *next; };
int main(void) {
  struct node *w = NULL, *b = NULL, *x;
  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
    case 0: x = malloc(sizeof *x); x->val = 0; x->next = w; w = x; break;
    case 1: if (w) { x = w; w = w->next; x->val = 1; x->next = b; b = x; } break;
    default: if (b) { x = b; b = b->next; x->val = 0; x->next = w; w = x; } break;
    }
  }
  for (x = w; x; x = x->next) assert(x->val == 0);
  for (x = b; x; x = x->next) assert(x->val == 1);
  return 0;
}
