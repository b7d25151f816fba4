// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: false(unreach-call)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
typedef struct node { int h; struct node *n; } *List;
int main() {
  List a = (List) malloc(sizeof(struct node));
  List t; List p = a;
  while (__VERIFIER_nondet_int()) {
    p->h = 1;
    t = (List) malloc(sizeof(struct node));
    p->n = t; p = p->n;
  }
  p->h = 3; p->n = 0;
  p = a;
  while (p->h == 1) p = p->n;
  if (p->h != 2) ERROR: { reach_error(); abort(); }
  return 0;
}
