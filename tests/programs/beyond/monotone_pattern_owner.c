// RUN: verify --engine monotone --check memsafety,asserts,ensures --timeout 120 %s
// EXPECT: insert_second: verified
/* Every cell knows the first one; the pattern says what must not be left behind. */
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
  x->owner = h;
  x->next = h->next;
  h->next = x;
}
