// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: make_doubly_linked[safety]: verified
// EXPECT: make_doubly_linked[inverse]: verified
#include <stdlib.h>

struct node { struct node *n; struct node *p; };

/* The first row says nothing about what p reaches, so p is a plain function there. */
/*@ requires \list(n, h);
    behavior safety: ensures \list(n, h);
    behavior inverse:
      requires \forall struct node *u; u -n*-> NULL;
      requires \forall struct node *u; u -p*-> NULL;
      ensures \list(n, h);
      ensures \inverse(n, p, h, NULL);
@*/
void make_doubly_linked(struct node *h)
{
  struct node *i = h, *j = NULL;
  while (i != NULL) {
    i->p = j;
    j = i;
    i = i->n;
  }
}
