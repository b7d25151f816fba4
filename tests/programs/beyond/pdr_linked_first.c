// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { struct node *next; int d; };

int main(void)
{
  struct node *h = malloc(sizeof(struct node));
  h->next = NULL;
  h->d = 3;
  struct node *x = h;
  while (__VERIFIER_nondet_int()) {
    x->next = malloc(sizeof(struct node));
    x = x->next;
    x->d = 3;
    x->next = NULL;
  }
  for (x = h; x != NULL; x = x->next)
    if (x->d != 3)
      reach_error();
  while (h != NULL) {
    x = h->next;
    free(h);
    h = x;
  }
  return 0;
}
