// RUN: verify --engine lazy --check memsafety,asserts,leaks --timeout 120 %s
// EXPECT: main: verified
/* Zeros at the front and inside are taken out and freed, then the rest. */
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int val; struct node *next; };
int main(void) {
  struct node *l = NULL, *p, *q;
  while (__VERIFIER_nondet_int()) {
    p = malloc(sizeof *p); p->next = l; l = p;
    if (__VERIFIER_nondet_int()) p->val = 0; else p->val = 1;
  }
  while (l != NULL && l->val == 0) { q = l->next; free(l); l = q; }
  if (l != NULL) {
    p = l;
    while (p->next != NULL) {
      if (p->next->val == 0) { q = p->next; p->next = q->next; free(q); }
      else p = p->next;
    }
  }
  for (p = l; p; p = p->next) assert(p->val == 1);
  while (l) { p = l->next; free(l); l = p; }
  return 0;
}
