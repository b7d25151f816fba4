// RUN: verify --svcomp no-overflow %s
// EXPECT: VERDICT: true
// RUN: verify --svcomp no-overflow --data-model ILP32 %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

int main(void)
{
  struct node *l = NULL;
  int count = 0;
  while (count < 1000 && __VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->data = count;
    n->next = l;
    l = n;
    count++;
  }
  int most = 0;
  while (l) {
    if (l->data > most) most = l->data;
    l = l->next;
  }
  return most + 1;
}
