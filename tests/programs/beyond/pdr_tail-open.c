// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: violated
// STATUS: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = malloc(sizeof(struct node));
  h->next = NULL;
  struct node *t = h;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->next = h;
    t->next = NULL;
    t = e;
  }
  if (t->next != NULL)
    reach_error();
  while (h != NULL) {
    struct node *k = h->next;
    free(h);
    h = k;
  }
  return 0;
}
