// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { struct n *next; int a; };
void del(struct n **pp, int k) {
  while (*pp) { if ((*pp)->a == k) { struct n *t = *pp; *pp = t->next; free(t); return; } pp = &(*pp)->next; }
}
int main() {
  struct n *l = 0;
  while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); x->a = __VERIFIER_nondet_int(); x->next = l; l = x; }
  del(&l, 1);
  while (l) { struct n *t = l->next; free(l); l = t; }
  return 0;
}
