// RUN: verify --engine vc --timeout 120 %s
// EXPECT: list_of_lists: too-weak
// STATUS: 2
#include <stdlib.h>
struct item { int data; struct item *next; };
struct list { struct item *first; struct list *next; };

/* Every list of a list of lists loses its items; the outer list stays. */
/*@ requires \list(next, l);
    ensures  \list(next, l);
    ensures  \cells(next, l, NULL) == \old(\cells(next, l, NULL));
    ensures  \forall struct list *u; u \in \cells(next, l, NULL) ==> u->first == NULL || u->first->data == 0;
@*/
void list_of_lists(struct list *l)
{
  struct list *c = l;
  /*@ loop invariant \btwn(next, l, c, NULL);
  @*/
  while (c != NULL) {
    if (c->first != NULL)
      c->first->data = 0;
    c = c->next;
  }
}
