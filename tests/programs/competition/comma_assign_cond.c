// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
struct n { struct n *next; int d; };
int main() {
  struct n *l = NULL, *x; int c = 0, k;
  while ((k = __VERIFIER_nondet_int()) > 0 && c < 3) { if (!(x = malloc(sizeof *x))) abort(); x->d = k, x->next = l, l = x; ++c; }
  while ((x = l) != NULL) { if (x->d <= 0) reach_error(); l = x->next; free(x); }
  return 0;
}
