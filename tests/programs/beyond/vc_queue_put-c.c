// RUN: verify --engine vc --timeout 120 %s
// EXPECT: put: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct queue { struct node *head, *tail; };
void put(struct queue *q, struct node *e)
/*@ requires \valid(q) && \valid(e) && \list(next, q->head) && !(q->head -next*-> e);
    requires (q->head == NULL <==> q->tail == NULL) && (q->tail != NULL ==> q->head -next*-> q->tail && q->tail->next == NULL);
    ensures \list(next, q->head) && q->tail == e && e->next == NULL && q->head -next*-> e;
    ensures \cells(next, q->head, NULL) == \union(\old(\cells(next, q->head, NULL)), {e}); @*/
{
  ;
  if (q->tail == NULL) q->head = e; else q->tail->next = e;
  q->tail = e;
}
