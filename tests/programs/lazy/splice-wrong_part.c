// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
/* Row splice. An alternating list is taken apart into the cells of odd and of even position (the 3 is left over);
   each part must hold one value only. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  int flag = 1;
  struct node *head, *tail, *cell, *cur, *odd, *even;
  head = malloc(sizeof(struct node));
  if (head == NULL) abort();
  tail = head;
  while (__VERIFIER_nondet_int()) {
    if (flag) { tail->h = 1; flag = 0; }
    else      { tail->h = 2; flag = 1; }
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    tail->n = cell;
    tail = cell;
  }
  tail->h = 3;
  tail->n = NULL;
  cur = head;
  odd = NULL;
  even = NULL;
  flag = 1;
  while (cur->h != 3) {
    cell = cur;
    cur = cur->n;
    if (flag) { cell->n = odd;  odd = cell;  flag = 0; }
    else      { cell->n = odd; odd = cell; flag = 1; }
  }
  cur = odd;
  while (cur != NULL) {
    if (cur->h != 1) reach_error();
    cur = cur->n;
  }
  cur = even;
  while (cur != NULL) {
    if (cur->h != 2) reach_error();
    cur = cur->n;
  }
  return 0;
}
