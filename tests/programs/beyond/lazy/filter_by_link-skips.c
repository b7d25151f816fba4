// RUN: verify --engine lazy --check asserts --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The cell behind a removed one is skipped. */
struct node { int h; struct node *n; };

int main(void)
{
  struct node *list = NULL, *cell, **link;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof *cell);
    cell->h = __VERIFIER_nondet_int() ? 1 : 0;
    cell->n = list;
    list = cell;
  }
  link = &list;
  while (*link) {
    if ((*link)->h == 0) {
      cell = *link;
      *link = cell->n;
      free(cell);
      if (*link) link = &(*link)->n;
    } else {
      link = &(*link)->n;
    }
  }
  for (cell = list; cell; cell = cell->n)
    if (cell->h == 0) reach_error();
  return 0;
}
