// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void);

struct node { int h; struct node *n; };
int main() {
  struct node *head = NULL, *t, *r = NULL;
  int i = 0;
  while (__VERIFIER_nondet_int()) {
    t = malloc(sizeof *t);
    t->h = i % 2 == 0 ? 1 : 1;
    t->n = head; head = t;
  }
  while (head) { t = head->n; head->n = r; r = head; head = t; }
  while (r) { if (r->h != 1) reach_error(); t = r->n; free(r); free(r); r = t; }
  return 0;
}
