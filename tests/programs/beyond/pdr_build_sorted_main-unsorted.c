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
  while (__VERIFIER_nondet_int()) {
    struct node *e = malloc(sizeof(struct node)), *p = h, *q = NULL;
    e->d = __VERIFIER_nondet_int();
    while (p != NULL && p->d > e->d) {
      q = p;
      p = p->next;
    }
    e->next = p;
    if (q != NULL)
      q->next = e;
    else
      h = e;
  }
  struct node *w = h;
  while (w != NULL && w->next != NULL) {
    if (w->d > w->next->d)
      reach_error();
    w = w->next;
  }
  return 0;
}
