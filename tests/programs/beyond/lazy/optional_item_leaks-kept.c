// RUN: verify --engine lazy --check memsafety,leaks --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The item of the last cell stays. */
struct item { int value; };
struct node { struct item *item; struct node *n; };

int main(void)
{
  struct node *list = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof *cell);
    cell->item = NULL;
    if (__VERIFIER_nondet_int()) cell->item = malloc(sizeof *cell->item);
    cell->n = list;
    list = cell;
  }
  while (list) {
    cell = list->n;
    if (cell && list->item) free(list->item);
    free(list);
    list = cell;
  }
  return 0;
}
