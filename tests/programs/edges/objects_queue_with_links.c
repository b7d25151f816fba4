// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: verified

#include <stdlib.h>
#include <stddef.h>
struct lh { struct lh *next, *prev; };
struct queue { int n; struct lh head; };
struct job { int id; struct lh l; char prio; };
#define entry(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
static void init(struct lh *h) { h->next = h->prev = h; }
static void add_tail(struct lh *e, struct lh *h) { e->next = h; e->prev = h->prev; h->prev->next = e; h->prev = e; }
static void del(struct lh *e) { e->next->prev = e->prev; e->prev->next = e->next; }
static struct queue *mk(void) { struct queue *q = malloc(sizeof *q); q->n = 0; init(&q->head); return q; }
static void put(struct queue *q, int id) { struct job *j = malloc(sizeof *j); j->id = id; j->prio = 0; add_tail(&j->l, &q->head); q->n++; }
static struct job *get(struct queue *q) { if (q->head.next == &q->head) return NULL; struct job *j = entry(q->head.next, struct job, l); del(&j->l); q->n--; return j; }
int main(void) {
  struct queue *q = mk(); int sum = 0; struct job *j;
  put(q, 1); put(q, 2); put(q, 3);
  while ((j = get(q))) { sum = sum * 10 + j->id; free(j); }
  int r = sum == 123 && q->n == 0;
  free(q);
  return r ? 0 : *(int *)0;
}
