// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  struct node *head = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct node));
    if (first) {
      if (second) cell->h = 1; else cell->h = 2;
    } else cell->h = 3;
    cell->n = head;
    head = cell;
  }
  while (head != NULL) {
    if (first && second && head->h != 1) reach_error();
    if (!first && head->h != 3) reach_error();
    head = head->n;
  }
  return 0;
}
