// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct node));
    cell->h = 0;
    cell->n = head;
    head = cell;
  }
  while (head != NULL) {
    free(head);
    head = head->n;
  }
  return 0;
}
