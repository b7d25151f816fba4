// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head = NULL, *cell;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct node));
    cell->h = __VERIFIER_nondet_int();
    cell->n = head;
    head = cell;
  }
  struct node *kept = NULL;
  while (head != NULL) {
    cell = head;
    head = head->n;
    if (cell->h == 5) {
      free(cell);
    } else {
      cell->n = kept;
      kept = cell;
    }
  }
  while (kept != NULL) {
    if (kept->h == 5) reach_error();
    kept = kept->n;
  }
  return 0;
}
