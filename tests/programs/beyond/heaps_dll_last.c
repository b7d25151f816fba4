// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: last: verified
/* The last cell of a doubly linked list has somebody before it, who leads to it. */
struct dn { int key; struct dn *next, *prev; };
#include <stdlib.h>

/*@ requires \list(next, h) && h != NULL;
    requires \forall struct dn *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->next->prev == u;
    ensures \result \in \cells(next, h, NULL) && \result->next == NULL;
    ensures \result != h ==> \result->prev != NULL && \result->prev->next == \result; @*/
struct dn *last(struct dn *h)
{
  while (h->next) h = h->next;
  return h;
}
