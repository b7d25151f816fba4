// RUN: verify --engine heaps --timeout 120 %s
// EXPECT: clear_heads: violated
// STATUS: 1
/* Every item of every inner list of a list of lists is cleared. */
#include <stdlib.h>

struct item { int value; struct item *link; };
struct list { struct item *items; struct list *next; };

/*@ requires \forall struct item *x; \list(link, x);
    requires \forall struct list *u; \list(next, u);
    requires \forall struct list *u; u \in \cells(next, l, NULL) ==> \valid(u);
    ensures  \forall struct item *x; x != NULL && x -link*-> NULL && \old(x->value) == 0 ==> x->value == 0;
    ensures  \forall struct list *u; u \in \cells(next, l, NULL) && u->items != NULL ==> u->items->value == 0;
@*/
void clear_heads(struct list *l)
{
  struct list *p = l;
  /*@ track (struct list *v) v != NULL && l -next*-> v;
      track (struct list *v) v != NULL && p -next*-> v;
      track (struct list *v) v->items != NULL ==> v->items->value == 0;
      track (struct item *x) \old(x->value) == 0;
      track (struct item *x) x->value == 0;
  @*/
  while (p != NULL) {
    if (p->items != NULL)
      p->items->value = 1;
    p = p->next;
  }
}
