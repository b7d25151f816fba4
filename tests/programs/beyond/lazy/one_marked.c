// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* At most one cell is marked; a walk counts no second one. */
struct node { int h; struct node *n; };

int main(void)
{
  struct node *list = NULL, *cell;
  int marked = 0, found = 0;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof *cell);
    if (!marked && __VERIFIER_nondet_int()) {
      cell->h = 2;
      marked = 1;
    } else {
      cell->h = 1;
    }
    cell->n = list;
    list = cell;
  }
  for (cell = list; cell; cell = cell->n)
    if (cell->h == 2) found++;
  if (found > 1) reach_error();
  return 0;
}
