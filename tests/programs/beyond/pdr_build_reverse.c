// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: main: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node { int d; struct node *next; };

int main(void)
{
  struct node *h = NULL, *r = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node));
    e->next = h;
    h = e;
  }
  struct node *first = h;
  while (h != NULL) {
    struct node *t = h->next;
    h->next = r;
    r = h;
    h = t;
  }
  if (first != NULL && first->next != NULL)
    reach_error();
  while (r != NULL) {
    struct node *t = r->next;
    free(r);
    r = t;
  }
  return 0;
}
