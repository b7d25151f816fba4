// RUN: verify --svcomp termination %s
// EXPECT: VERDICT: false(termination)
// STATUS: 1
#include <stdlib.h>
struct node { int data; struct node *next; };

int main(void)
{
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->next = b;
  b->next = a;
  for (struct node *p = a; p; p = p->next) p->data = 1;
  return 0;
}
