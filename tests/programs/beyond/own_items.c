// RUN: verify --engine vc --timeout 120 %s
// EXPECT: own_items: verified
#include <stdlib.h>
struct list { struct item *items; struct list *next; };
struct item { struct list *owner; struct item *next; int n; };

/* The items of the first list of a chain get their owner. */
/*@ requires \list(next, l);
    requires \forall struct list *u; u \in \cells(next, l, NULL) ==> \list(next, u->items);
    ensures  \cells(next, l, NULL) == \old(\cells(next, l, NULL));
    ensures  l != NULL && l->items != NULL ==> l->items->owner == l;
@*/
void own_items(struct list *l)
{
  if (l == NULL) return;
  struct item *i = l->items;
  /*@ loop invariant \btwn(next, l->items, i, NULL);
      loop invariant \forall struct item *u; u \in \cells(next, l->items, i) ==> u->owner == l;
  @*/
  while (i != NULL) {
    i->owner = l;
    i = i->next;
  }
}
