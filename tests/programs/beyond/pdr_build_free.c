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
    e->next = h;
    h = e;
  }
  while (h != NULL) {
    struct node *t = h->next;
    free(h);
    h = t;
  }
  return 0;
}
