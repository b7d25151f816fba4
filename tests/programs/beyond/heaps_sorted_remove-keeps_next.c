// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: sorted_remove: violated
// STATUS: 1
/* The cell is unlinked but still points into the list: it is outside and not isolated. */
#include <stdlib.h>

struct node { int data; struct node *next; };
struct node *first;

/*@ predicate forest(struct node *r) =
      (\forall struct node *u; \list(next, u)) &&
      (\forall struct node *u, *v;
         u != NULL && v != NULL && u->next != NULL && u->next == v->next ==> u == v) &&
      (\forall struct node *u; u != NULL && r != NULL ==> u->next != r) &&
      (\forall struct node *u; u != NULL && u->next != NULL ==> r -next*-> (u->next));

    predicate ascending(struct node *r) =
      \forall struct node *u; u \in \cells(next, r, NULL) && u->next != NULL ==> u->data <= u->next->data;
@*/

/*@ requires forest(first) && ascending(first) && \stable(next, first);
    requires n != NULL && first -next*-> n;
    ensures  forest(first) && ascending(first);
    ensures  \cells(next, first, NULL) == \diff(\old(\cells(next, first, NULL)), {n});
@*/
void sorted_remove(struct node *n)
{
  struct node *prev = NULL, *curr = first;
  /*@ track (struct node *v) v != NULL && first -next*-> v;
      track (struct node *v) v != NULL && curr -next*-> v;
      track prev != NULL ==> prev->next == curr;
  @*/
  while (curr != n) {
    prev = curr;
    curr = curr->next;
  }
  if (prev != NULL)
    prev->next = n->next;
  else
    first = n->next;

}
