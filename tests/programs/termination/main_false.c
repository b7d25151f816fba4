// RUN: verify --svcomp termination %s
// EXPECT: endless run
// EXPECT: VERDICT: false(termination)
// STATUS: 1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

int main(void)
{
  struct node *l = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = l;
    l = n;
  }
  while (l) { struct node *t = l->next; free(l); l = t; }
  return 0;
}
