// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: skiplist_add: violated
// STATUS: 1
/* Row Skiplist.add. Insert into a two-level skip list; next_sub is a derived field over the backbone next.
   Engine: heaps. Expected: not verified. The loops carry no invariants on purpose. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct snode { int v; struct snode *next, *next_sub; };
struct snode *root;

/*@ predicate backbone(struct snode *r) =
      (\forall struct snode *u; \list(next, u)) &&
      (\forall struct snode *u, *w;
         u != NULL && w != NULL && u->next != NULL && u->next == w->next ==> u == w) &&
      (\forall struct snode *u; u != NULL && !(r -next*-> u) ==> u->next == NULL) &&
      (\forall struct snode *u, *w; u != NULL && !(r -next*-> u) && w -next*-> u ==> w == u);

    predicate express(struct snode *r) =
      \forall struct snode *u; u != NULL ==> (u->next) -next*-> (u->next_sub);
@*/

/*@ requires backbone(root) && express(root) && \stable(next, root);
    requires \valid(e) && !(root -next*-> e);
    ensures  backbone(root) && express(root);
    ensures  \cells(next, root, NULL) == \union(\old(\cells(next, root, NULL)), {e});
@*/
void skiplist_add(struct snode *e)
{
  struct snode *sprev, *scur, *prev = NULL, *cur = NULL;
  int key;
  if (root == NULL) {
    root = e;
    return;
  }
  key = e->v;
  sprev = root;
  scur = root->next_sub;
  /* all automatic in the paper */
  /*@ track (struct snode *v) v != NULL && root -next*-> v;
      track (struct snode *v) v \in \old(\cells(next, root, NULL));
      track (struct snode *v) v != NULL && sprev -next*-> v;
      track (struct snode *v) v != NULL && scur -next*-> v;
      track (struct snode *v) v != NULL && prev -next*-> v;
      track (struct snode *v) v != NULL && cur -next*-> v;
      track prev != NULL ==> prev->next == cur;
  @*/
  while (scur != NULL && scur->v < key) {
    sprev = scur;
    scur = scur->next_sub;
  }
  prev = sprev;
  cur = sprev->next;
  while (cur != scur && cur->v < key) {
    prev = cur;
    cur = cur->next;
  }
  e->next = cur;
  prev->next = e;
  if (__VERIFIER_nondet_int()) {      /* e takes part in the upper level */
    sprev->next_sub = e;
    e->next_sub = sprev;
  } else {
    e->next_sub = NULL;
  }
}
