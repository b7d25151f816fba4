// RUN: verify --engine vc --timeout 120 %s
// EXPECT: get: violated
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int d; };
struct queue { struct node *head, *tail; };
struct node *get(struct queue *q)
/*@ requires \valid(q) && q->head != NULL && \list(next, q->head) && q->head -next*-> q->tail && q->tail != NULL && q->tail->next == NULL;
    ensures \result == \old(q->head) && \list(next, q->head) && (q->head == NULL <==> q->tail == NULL) && !(q->head -next*-> \result); @*/
{
  struct node *r = q->head;
  q->head = r->next;
  ;
  return r;
}
