// RUN: verify --svcomp termination %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

int main(void)
{
  struct node *l = NULL;
  for (int i = 0; i < 100 && __VERIFIER_nondet_int(); i++) {
    struct node *n = malloc(sizeof *n);
    n->next = l;
    l = n;
  }
  while (l) { struct node *t = l->next; free(l); l = t; }
  return 0;
}
