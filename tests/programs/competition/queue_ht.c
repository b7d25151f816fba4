// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
void reach_error(void) {}
struct qn { int v; struct qn *next; };
struct queue { struct qn *head; struct qn *tail; int size; };
void q_init(struct queue *q) { q->head = q->tail = NULL; q->size = 0; }
void q_push(struct queue *q, int v) {
  struct qn *n = calloc(1, sizeof(*n)); n->v = v;
  if (q->tail) q->tail->next = n; else q->head = n;
  q->tail = n; q->size++;
}
int q_pop(struct queue *q) {
  struct qn *n = q->head; int v = n->v;
  q->head = n->next; if (!q->head) q->tail = NULL;
  free(n); --q->size; return v;
}
int main() {
  struct queue q; q_init(&q);
  for (int i = 0; i < 10; ++i) q_push(&q, i);
  for (int i = 0; i < 10; ++i) if (q_pop(&q) != i) reach_error();
  if (q.size) reach_error();
  return 0;
}
