// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skiplist_remove: violated
// STATUS: 1
/* The upper level still leads to the cell that was unlinked.
   Unlink the cell behind the head from a two-level skip list whose head stays. */
#include <stdlib.h>

struct snode { int v; struct snode *next, *next_sub; };
struct snode *root;

/*@ predicate backbone(struct snode *r) =
      (\forall struct snode *u; \list(next, u)) &&
      (\forall struct snode *u, *w;
         u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w) &&
      (\forall struct snode *u; u != NULL && r != NULL ==> u->next != r) &&
      (\forall struct snode *u; u != NULL && u->next != NULL ==> r -next*-> u);

    predicate express(struct snode *r) =
      \forall struct snode *u; u != NULL ==> (u->next) -next*-> (u->next_sub);
@*/

/*@ requires backbone(root) && express(root) && \stable(next, root) && root != NULL;
    requires e != NULL && e != root && root -next*-> e;
    ensures  backbone(root) && express(root);
    ensures  \cells(next, root, NULL) == \diff(\old(\cells(next, root, NULL)), {e});
@*/
void skiplist_remove(struct snode *e)
{
  struct snode *prev = root;
  /*@ track (struct snode *v) v != NULL && root -next*-> v;
      track (struct snode *v) v != NULL && prev -next*-> v;
      track (struct snode *v) v != NULL && e -next*-> v;
      track (struct snode *v) v != NULL && v->next_sub == e;
  @*/
  while (prev->next != e) {
    if (prev->next_sub == e)
      prev->next_sub = e->next_sub;
    prev = prev->next;
  }
  prev->next = e->next;
  e->next = NULL;
  e->next_sub = NULL;
}
