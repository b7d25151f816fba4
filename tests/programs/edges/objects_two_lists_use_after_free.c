// RUN: verify --check memsafety,asserts %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
#include <stddef.h>
struct lh { struct lh *next, *prev; };
struct task { struct lh run; int pid; struct lh all; };
#define entry(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
static void init(struct lh *h) { h->next = h->prev = h; }
static void add(struct lh *e, struct lh *h) { e->next = h->next; e->prev = h; h->next->prev = e; h->next = e; }
static void del(struct lh *e) { e->next->prev = e->prev; e->prev->next = e->next; }
int main(void) {
  struct lh runq, tasks; init(&runq); init(&tasks);
  for (int i = 0; i < 3; i++) { struct task *t = malloc(sizeof *t); t->pid = i; add(&t->run, &runq); add(&t->all, &tasks); }
  int s = 0; struct lh *p;
  for (p = runq.next; p != &runq; p = p->next) s += entry(p, struct task, run)->pid;
  for (p = tasks.next; p != &tasks; ) { struct task *t = entry(p, struct task, all); p = p->next; del(&t->all); del(&t->run); free(t); s += 10 * t->pid; }
  return s == 33 && runq.next == &runq ? 0 : *(int *)0;
}
