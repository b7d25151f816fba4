// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: insert_second: violated
// STATUS: 1
/* The new cell is its own owner: the pattern appears. */
#include <stdlib.h>
struct node { struct node *next, *owner; };

/*@ requires \list(next, h) && h != NULL;
    requires \forall struct node *z; z \in \cells(next, h, NULL) ==> z->owner == h;
    ensures  \list(next, h);
    pattern (struct node *a) h -next*-> a && a->owner != h;
@*/
void insert_second(struct node *h)
{
  struct node *x = malloc(sizeof *x);
  x->owner = x;
  x->next = h->next;
  h->next = x;
}
