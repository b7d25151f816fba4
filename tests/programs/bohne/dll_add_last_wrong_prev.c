// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: dll_add_last: violated
// STATUS: 1
/* Row DLL.addLast. Append a cell to a doubly linked list held in a global.
   Engine: heaps. Expected: not verified. The loop carries no invariant on purpose. */
#include <stdlib.h>

struct dnode { struct dnode *next, *prev; };
struct dnode *root;

/*@ predicate forest(struct dnode *r) =
      (\forall struct dnode *u; \list(next, u)) &&
      (\forall struct dnode *u, *v;
         u != NULL && v != NULL && u->next != NULL && u->next == v->next ==> u == v) &&
      (\forall struct dnode *u; u != NULL && r != NULL ==> u->next != r) &&
      (\forall struct dnode *u; u != NULL && u->next != NULL ==> r -next*-> (u->next));

    predicate back_links(struct dnode *r) =
      (\forall struct dnode *u; u != NULL && u->next != NULL ==> u->next->prev == u) &&
      (\forall struct dnode *u; u != NULL && u->prev != NULL ==> u->prev->next == u);
@*/

/*@ requires forest(root) && back_links(root) && \stable(next, root);
    requires \valid(n) && !(root -next*-> n);
    assigns  root, n->next, n->prev, \cells(next, root, NULL)->next;
    ensures  forest(root) && back_links(root);
    ensures  \cells(next, root, NULL) == \union(\old(\cells(next, root, NULL)), {n});
@*/
void dll_add_last(struct dnode *n)
{
  struct dnode *r = NULL;
  /* all three are found automatically in the paper; singletons of NULL, root, n, r are implicit */
  /*@ track (struct dnode *v) v != NULL && root -next*-> v;
      track (struct dnode *v) v \in \old(\cells(next, root, NULL));
      track (struct dnode *v) v != NULL && r -next*-> v;
  @*/
  if (root == NULL) {
    root = n;
    n->next = NULL;
    n->prev = NULL;
    return;
  }
  r = root;
  while (r->next != NULL)
    r = r->next;
  r->next = n;          /* n->next is already NULL: that follows from forest(root) */
  n->prev = root;
}
