// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *a = NULL, *b = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->next = a;
    a = e;
    if (b == NULL) {
      e = malloc(sizeof(struct node));
      e->next = b;
      b = e;
    }
  }
  while (a != NULL) {
    a = a->next;
    b = b->next;
  }
  return 0;
}
