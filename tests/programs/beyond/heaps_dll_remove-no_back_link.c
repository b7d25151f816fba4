// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: dll_remove: violated
// STATUS: 1
/* The successor still points back to the cell that was unlinked. */
#include <stdlib.h>

struct dnode { int v; struct dnode *next, *prev; };
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
    ensures  forest(root) && back_links(root);
    ensures  \result == NULL ==> \cells(next, root, NULL) == \old(\cells(next, root, NULL));
    ensures  \result != NULL ==> \result->v == key &&
               \cells(next, root, NULL) == \diff(\old(\cells(next, root, NULL)), {\result});
@*/
struct dnode *dll_remove(int key)
{
  struct dnode *r = root;
  while (r != NULL && r->v != key)
    r = r->next;
  if (r == NULL)
    return NULL;
  if (r->prev != NULL)
    r->prev->next = r->next;
  else
    root = r->next;
  r->next = NULL;
  r->prev = NULL;
  return r;
}
