// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head = NULL, *cell, *prev, *cur;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct node));
    cell->h = 1;
    prev = NULL;
    cur = head;
    while (cur != NULL && __VERIFIER_nondet_int()) {
      prev = cur;
      cur = cur->n;
    }
    cell->n = cur;
    if (prev == NULL) head = cell;
    else prev->n = cell;
  }
  while (head != NULL) {
    if (head->h != 1) reach_error();
    head = head->n;
  }
  return 0;
}
