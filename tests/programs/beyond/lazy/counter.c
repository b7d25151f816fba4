// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  int i = 0, n = __VERIFIER_nondet_int();
  struct node *head = NULL, *cell;
  if (n < 0) return 0;
  while (i < n) {
    cell = malloc(sizeof(struct node));
    cell->n = head;
    head = cell;
    i = i + 1;
  }
  if (i != n) reach_error();
  if (n > 0 && head == NULL) reach_error();
  return 0;
}
