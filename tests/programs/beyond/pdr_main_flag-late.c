// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL;
  int any = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->next = h;
    h = e;
    any = 1;
  }
  if (any) {
    if (h->next == NULL)
      reach_error();
  } else {
    if (h != NULL)
      reach_error();
  }
  return 0;
}
