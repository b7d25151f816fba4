// RUN: verify --engine vc --timeout 120 %s
// EXPECT: branches: verified
// EXPECT: writes: verified
#include <stdlib.h>
struct node { int data; struct node *next; };

/* Thirty branches and thirty writes in a row: conditions stay linear. */
/*@ requires \list(next, l) && l != NULL && k >= 0;
    ensures  \list(next, l) && l->data >= \old(l->data);
@*/
void branches(struct node *l, int k)
{
  if (k > 0) l->data = l->data + 1;
  if (k > 1) l->data = l->data + 1;
  if (k > 2) l->data = l->data + 1;
  if (k > 3) l->data = l->data + 1;
  if (k > 4) l->data = l->data + 1;
  if (k > 5) l->data = l->data + 1;
  if (k > 6) l->data = l->data + 1;
  if (k > 7) l->data = l->data + 1;
  if (k > 8) l->data = l->data + 1;
  if (k > 9) l->data = l->data + 1;
  if (k > 10) l->data = l->data + 1;
  if (k > 11) l->data = l->data + 1;
  if (k > 12) l->data = l->data + 1;
  if (k > 13) l->data = l->data + 1;
  if (k > 14) l->data = l->data + 1;
  if (k > 15) l->data = l->data + 1;
  if (k > 16) l->data = l->data + 1;
  if (k > 17) l->data = l->data + 1;
  if (k > 18) l->data = l->data + 1;
  if (k > 19) l->data = l->data + 1;
  if (k > 20) l->data = l->data + 1;
  if (k > 21) l->data = l->data + 1;
  if (k > 22) l->data = l->data + 1;
  if (k > 23) l->data = l->data + 1;
  if (k > 24) l->data = l->data + 1;
  if (k > 25) l->data = l->data + 1;
  if (k > 26) l->data = l->data + 1;
  if (k > 27) l->data = l->data + 1;
  if (k > 28) l->data = l->data + 1;
  if (k > 29) l->data = l->data + 1;
}

/*@ requires x != NULL && y != NULL && x != y;
    ensures  x->next == y && y->next == NULL && \list(next, x);
@*/
void writes(struct node *x, struct node *y)
{
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = x;
  x->next = y;
  y->next = NULL;
}
