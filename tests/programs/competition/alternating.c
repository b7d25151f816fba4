// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }
typedef struct node { int h; struct node *n; } *List;
int main() {
  int flag = 1;
  List a = (List) malloc(sizeof(struct node));
  if (a == 0) exit(1);
  List t; List p = a;
  while (__VERIFIER_nondet_int()) {
    if (flag) { p->h = 1; flag = 0; } else { p->h = 2; flag = 1; }
    t = (List) malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t; p = p->n;
  }
  p->h = 3;
  p = a; flag = 1;
  while (p->h != 3) {
    if (flag) { flag = 0; if (p->h != 1) goto ERROR; }
    else { flag = 1; if (p->h != 2) goto ERROR; }
    p = p->n;
  }
  return 0;
  ERROR: {reach_error();abort();}
  return 1;
}
