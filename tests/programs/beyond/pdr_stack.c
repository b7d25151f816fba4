// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *top = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *e = malloc(sizeof(struct node));
      e->next = top;
      top = e;
    } else if (top != NULL) {
      struct node *t = top;
      top = top->next;
      free(t);
    }
  }
  return 0;
}
