// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct dnode { int h; struct dnode *n, *p; };

int main(void)
{
  struct dnode *head = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct dnode));
    cell->h = 1;
    cell->n = head;
    cell->p = NULL;
    if (head != NULL) head->p = cell;
    head = cell;
  }
  while (head != NULL) {
    cell = head->n;
    free(head);
    if (cell != NULL && cell->p->h != 1) reach_error();
    head = cell;
  }
  return 0;
}
