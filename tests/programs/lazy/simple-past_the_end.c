// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
/* Row simple. A list of 1s, built front to back, is checked cell by cell. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head, *tail, *cell, *cur;
  head = malloc(sizeof(struct node));
  if (head == NULL) abort();
  tail = head;
  while (__VERIFIER_nondet_int()) {
    tail->h = 1;
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    tail->n = cell;
    tail = cell;
  }
  tail->h = 1;
  tail->n = NULL;
  cur = head;
  while (cur->n != cur) {
    if (cur->h != 1) reach_error();
    cur = cur->n;
  }
  return 0;
}
