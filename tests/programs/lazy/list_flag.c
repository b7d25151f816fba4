// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: verified
/* Row list_flag. Only 1s or only 2s, as a flag says, then one 3; the check reads the same flag. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  int flag = __VERIFIER_nondet_int();
  struct node *head, *tail, *cell, *cur;
  head = malloc(sizeof(struct node));
  if (head == NULL) abort();
  tail = head;
  while (__VERIFIER_nondet_int()) {
    if (flag) tail->h = 1;
    else tail->h = 2;
    cell = malloc(sizeof(struct node));
    if (cell == NULL) abort();
    tail->n = cell;
    tail = cell;
  }
  tail->h = 3;
  tail->n = NULL;
  cur = head;
  if (flag) {
    while (cur->h == 1) cur = cur->n;
  } else {
    while (cur->h == 2) cur = cur->n;
  }
  if (cur->h != 3) reach_error();
  return 0;
}
