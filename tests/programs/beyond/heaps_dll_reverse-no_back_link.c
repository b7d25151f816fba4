// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: reverse: violated
// STATUS: 1
/* The link back is not set. */
struct dn { int key; struct dn *next, *prev; };
#include <stdlib.h>
/*@ predicate dll(struct dn *h) = \list(next, h) && (h != NULL ==> h->prev == NULL) &&
   \forall struct dn *u; u \in \cells(next, h, NULL) && u->next != NULL ==> u->next->prev == u; @*/

/*@ requires dll(h);
    ensures dll(\result);
    ensures \cells(next, \result, NULL) == \old(\cells(next, h, NULL)); @*/
struct dn *reverse(struct dn *h)
{
  struct dn *r = NULL;
  while (h != NULL) {
    struct dn *n = h->next;
    h->next = r;
    h->prev = NULL;
    
    r = h;
    h = n;
  }
  return r;
}
