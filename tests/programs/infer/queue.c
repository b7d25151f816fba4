// RUN: infer --timeout 60 %s
// EXPECT: queue.c:
// STATUS: 0
// PERSON queue_init: \valid(q)
// PERSON queue_put: \valid(q) && \valid(e) && \list(next, q->head) && (q->head == NULL || (q->head -next*-> q->tail && q->tail != NULL && q->tail->next == NULL)) && !(q->head -next*-> e)
// PERSON queue_get: \valid(q) && \list(next, q->head)
// PERSON queue_peek: \valid(q)
// PERSON queue_is_empty: \valid(q)
// PERSON stack_push: \valid(s) && \valid(e) && \list(next, s->top) && !(s->top -next*-> e)
// PERSON stack_pop: \valid(s) && \list(next, s->top)
// PERSON stack_top: \valid(s) && s->top != NULL
// PERSON stack_size: \valid(s)
// PERSON stack_clear: \valid(s) && \list(next, s->top)
#include <stdlib.h>

struct item { int value; struct item *next; };

/* A queue with a pointer to its last item. */
typedef struct { struct item *head, *tail; } queue_t;

void queue_init(queue_t *q)
{
  q->head = NULL;
  q->tail = NULL;
}

void queue_put(queue_t *q, struct item *e)
{
  e->next = NULL;
  if (q->head == NULL) q->head = e;
  else q->tail->next = e;
  q->tail = e;
}

struct item *queue_get(queue_t *q)
{
  struct item *e = q->head;
  if (e == NULL) return NULL;
  q->head = e->next;
  if (q->head == NULL) q->tail = NULL;
  e->next = NULL;
  return e;
}

int queue_peek(queue_t *q, int otherwise)
{
  return q->head ? q->head->value : otherwise;
}

int queue_is_empty(const queue_t *q)
{
  return q->head == NULL;
}

/* A stack that counts. */
struct stack { struct item *top; int size; };

void stack_push(struct stack *s, struct item *e)
{
  e->next = s->top;
  s->top = e;
  s->size++;
}

struct item *stack_pop(struct stack *s)
{
  struct item *e = s->top;
  if (!e) return NULL;
  s->top = e->next;
  s->size--;
  return e;
}

int stack_top(struct stack *s)
{
  return s->top->value;
}

int stack_size(struct stack *s)
{
  return s->size;
}

void stack_clear(struct stack *s)
{
  while (s->top != NULL) {
    struct item *e = s->top;
    s->top = e->next;
    free(e);
  }
  s->size = 0;
}
