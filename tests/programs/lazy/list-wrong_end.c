// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
/* Row list. Some 1s, then some 2s, then one 3; the check walks over the three parts. */
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
  while (__VERIFIER_nondet_int()) {
    tail->h = 2;
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    tail->n = cell;
    tail = cell;
  }
  tail->h = 4;
  tail->n = NULL;
  cur = head;
  while (cur->h == 1) cur = cur->n;
  while (cur->h == 2) cur = cur->n;
  if (cur->h != 3) reach_error();
  return 0;
}
