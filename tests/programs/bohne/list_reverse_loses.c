// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: list_reverse: violated
// STATUS: 1
/* Row List.reverse. In-place reversal of the list held in a global.
   Engine: heaps. Expected: not verified. The loop carries no invariant on purpose. */
#include <stdlib.h>

struct node { struct node *next; };
struct node *first;

/*@ predicate forest(struct node *r) =
      (\forall struct node *u; \list(next, u)) &&
      (\forall struct node *u, *v;
         u != NULL && v != NULL && u->next != NULL && u->next == v->next ==> u == v) &&
      (\forall struct node *u; u != NULL && r != NULL ==> u->next != r);
@*/

/*@ requires forest(first) && \stable(next, first);
    assigns  first, \cells(next, first, NULL)->next;
    ensures  forest(first);
    ensures  \cells(next, first, NULL) == \old(\cells(next, first, NULL));
@*/
void list_reverse(void)
{
  struct node *e = first, *t;
  /* automatic: the first two; supplied by hand: the last two (what e still reaches; who has no predecessor) */
  /*@ track (struct node *v) v != NULL && first -next*-> v;
      track (struct node *v) v \in \old(\cells(next, first, NULL));
      track (struct node *v) v != NULL && e -next*-> v;
      track (struct node *v) \forall struct node *u; u -next*-> v ==> u == v;
  @*/
  first = NULL;
  while (e != NULL) {
    t = first;
    first = e;
    e = e->next;
    first->next = NULL;
  }
}
