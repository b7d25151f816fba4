// RUN: verify --svcomp no-overflow %s
// EXPECT: VERDICT: false(no-overflow)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

int main(void)
{
  struct node *n = malloc(sizeof *n);
  n->data = __VERIFIER_nondet_int();
  n->next = NULL;
  if (n->data > 5) n->data = n->data * 2;
  return 0;
}
