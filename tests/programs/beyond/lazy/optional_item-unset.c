// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* One item in a while is left as it comes. */
struct item { int value; };
struct node { struct item *item; struct node *n; };

int main(void)
{
  struct node *list = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof *cell);
    cell->item = NULL;
    if (__VERIFIER_nondet_int()) {
      cell->item = malloc(sizeof *cell->item);
      if (__VERIFIER_nondet_int()) cell->item->value = 7;
    }
    cell->n = list;
    list = cell;
  }
  for (cell = list; cell; cell = cell->n)
    if (cell->item && cell->item->value != 7) reach_error();
  return 0;
}
