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
    cell->h = 7;
    cell->n = head;
    head = cell;
  }
  struct node *done = NULL;
  while (head != NULL) {
    cell = head->n;
    head->n = done;
    done = head;
    head = cell;
  }
  if (done == NULL) reach_error();
  return 0;
}
