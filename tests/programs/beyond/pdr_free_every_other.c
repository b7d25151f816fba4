// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL, *p;
  while (__VERIFIER_nondet_int()) {
    p = malloc(sizeof(struct node));
    p->next = h;
    h = p;
  }
  p = h;
  while (p != NULL && p->next != NULL) {
    struct node *q = p->next;
    p->next = q->next;
    free(q);
    p = p->next;
  }
  p = h;
  while (p != NULL)
    p = p->next;
  return 0;
}
