// RUN: verify --engine pdr --timeout 120 %s
// EXPECT: enqueue: verified
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int d; struct node *next; };

struct queue { struct node *head; struct node *tail; };

/*@ requires q != NULL && e != NULL && e->next == NULL;
    requires \list(next, q->head);
    requires q->head == NULL <==> q->tail == NULL;
    requires q->tail != NULL ==> q->head -next*-> q->tail && q->tail->next == NULL;
    requires !(q->head -next*-> e);
    ensures \list(next, q->head) && q->tail == e && e->next == NULL;
    ensures q->head -next*-> e;
@*/
void enqueue(struct queue *q, struct node *e)
{
  if (q->head == NULL)
    q->head = e;
  else
    q->tail->next = e;
  q->tail = e;
}
