// RUN: verify --check memsafety %s
// EXPECT: :main: violated
// STATUS: 1

#include <stdlib.h>
#include <stddef.h>
struct list_head { struct list_head *next, *prev; };
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *__mptr = (ptr); (type *)((char *)__mptr - offsetof(type, member)); })
#define list_entry(p,t,m) container_of(p,t,m)
#define list_for_each_entry_safe(pos, n, head, member) \
  for (pos = list_entry((head)->next, typeof(*pos), member), n = list_entry(pos->member.next, typeof(*pos), member); &pos->member != (head); pos = n, n = list_entry(n->member.next, typeof(*n), member))
struct task { int pid; struct list_head l; };
static struct list_head tasks = { &tasks, &tasks };
static void list_add(struct list_head *new, struct list_head *head) { struct list_head *next = head->next; next->prev = new; new->next = next; new->prev = head; head->next = new; }
static void list_del(struct list_head *e) { e->next->prev = e->prev; e->prev->next = e->next; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) { struct task *t = malloc(sizeof *t); t->pid = i; list_add(&t->l, &tasks); }
  struct task *p, *q;
  list_for_each_entry_safe(p, q, &tasks, l) { free(p); list_del(&p->l); }
  return 0;
}
