// RUN: verify --engine lazy --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int h; struct node *n; };

int main(void)
{
  struct node *head = malloc(sizeof(struct node)), *cur = head;
  head->n = NULL;
  while (__VERIFIER_nondet_int()) {
    cur->n = malloc(sizeof(struct node));
    cur = cur->n;
    cur->n = NULL;
  }
  cur = head;
  while (cur != NULL) cur = cur->n;
  if (cur->n != NULL) reach_error();
  return 0;
}
