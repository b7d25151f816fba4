// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->d = 1;
    e->next = h;
    h = e;
  }
  struct node *p = h;
  while (p != NULL) {
    if (p->d == 0)
      reach_error();
    p = p->next;
  }
  return 0;
}
