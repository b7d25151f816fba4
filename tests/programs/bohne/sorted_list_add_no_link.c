// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: sorted_list_add: violated
// STATUS: 1
/* Row SortedList.add (the paper's running example). Insert a cell into an ascending list.
   Engine: heaps. Expected: not verified. The loop carries no invariant on purpose. */
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
    requires \valid(n) && !(first -next*-> n);
    assigns  first, n->next, \cells(next, first, NULL)->next;
    ensures  forest(first) && ascending(first);
    ensures  \cells(next, first, NULL) == \union(\old(\cells(next, first, NULL)), {n});
@*/
void sorted_list_add(struct node *n)
{
  struct node *prev = NULL, *curr = first;
  /* automatic, then the two the paper's listing tracks (its table counts one of them as supplied by hand) */
  /*@ track (struct node *v) v != NULL && first -next*-> v;
      track (struct node *v) v \in \old(\cells(next, first, NULL));
      track prev != NULL ==> prev->next == curr;
      track (struct node *v) v != NULL && curr -next*-> v;
      track prev != NULL ==> prev->data <= n->data;
  @*/
  while (curr != NULL && curr->data < n->data) {
    prev = curr;
    curr = curr->next;
  }
  if (prev != NULL)
    prev->next = n;
  else
    first = n;
}
