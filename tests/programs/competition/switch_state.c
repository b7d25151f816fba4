// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
enum kind { LEAF, INNER = 5, OTHER };
struct t { enum kind k; struct t *n; };
int main() {
  struct t *l = 0;
  int i;
  for (i = 0; i < 3; i++) { struct t *x = malloc(sizeof(struct t)); x->n = l; x->k = i == 0 ? LEAF : i == 1 ? INNER : OTHER; l = x; }
  int seen = 0;
  for (; l; l = l->n) switch (l->k) { case LEAF: seen += 1; break; case INNER: seen += 10; break; case OTHER: seen += 100; break; default: reach_error(); }
  if (seen != 111) reach_error();
  return 0;
}
