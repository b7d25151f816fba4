// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: unknown(
// STATUS: 2
#include <stdlib.h>
extern void *alloca(size_t);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int v; };
int main() {
  struct node *l = 0;
  while (__VERIFIER_nondet_int()) { struct node *p = alloca(sizeof *p); p->v = 1; p->next = l; l = p; }
  while (l) { l->v = 2; l = l->next; }
  return 0;
}
