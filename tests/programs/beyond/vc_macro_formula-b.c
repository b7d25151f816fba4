// RUN: verify --engine vc --timeout 120 %s
// EXPECT: put: violated
// STATUS: 1
/* Macros whose replacement is text of annotations. */
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct queue { struct cell *head, *tail; };
#define EMPTY(q) ((q)->head == NULL ==> (q)->tail == NULL)
#define LAST(q) \
  ((q)->head != NULL ==> (q)->tail != NULL && (q)->head -next*-> (q)->tail && (q)->tail->next == NULL)
#define QUEUE(q) (\valid(q) && \list(next, (q)->head) && EMPTY(q) && LAST(q))
#define CELLS(q) \cells(next, (q)->head, NULL)
#define EVERY(u, S, P) \forall struct cell *u; u \in S ==> (P)

/*@ requires QUEUE(q) && EVERY(u, CELLS(q), u->v >= 0);

    ensures  QUEUE(q) && EVERY(u, CELLS(q), u->v >= 0);
    ensures  CELLS(q) == \old(CELLS(q)) \union {q->tail}; @*/
void put(struct queue *q, int v)
{
  struct cell *x = malloc(sizeof *x);
  x->v = v;
  x->next = NULL;
  if (q->tail) q->tail->next = x; else q->head = x;
  q->tail = x;
}
