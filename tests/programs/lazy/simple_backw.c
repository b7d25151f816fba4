// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
/* Row simple_backw. A list of 1s, every new cell put in front, is checked cell by cell. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head, *cell;
  head = NULL;
  while (__VERIFIER_nondet_int()) {
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    cell->h = 1;
    cell->n = head;
    head = cell;
  }
  while (head != NULL) {
    if (head->h != 1) reach_error();
    head = head->n;
  }
  return 0;
}
