// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
/* Row alternating. 1, 2, 1, 2, ... of any length, then one 3; the check expects the same rhythm. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  int flag = 1;
  struct node *head, *tail, *cell, *cur;
  head = malloc(sizeof(struct node));
  if (head == NULL) abort();
  tail = head;
  while (__VERIFIER_nondet_int()) {
    if (flag) { tail->h = 1; flag = 0; }
    else      { tail->h = 2; flag = 0; }
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    tail->n = cell;
    tail = cell;
  }
  tail->h = 3;
  tail->n = NULL;
  cur = head;
  flag = 1;
  while (cur->h != 3) {
    if (flag) {
      if (cur->h != 1) reach_error();
      flag = 0;
    } else {
      if (cur->h != 2) reach_error();
      flag = 1;
    }
    cur = cur->n;
  }
  return 0;
}
