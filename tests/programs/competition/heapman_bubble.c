// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct list_head { struct list_head *next, *prev; };
struct node { int value; struct list_head linkage; struct list_head nested; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
LIST_HEAD(gl_list);
static inline void __list_add(struct list_head *new, struct list_head *prev, struct list_head *next)
{ next->prev = new; new->next = next; new->prev = prev; prev->next = new; }
static inline void list_add(struct list_head *new, struct list_head *head) { __list_add(new, head, head->next); }
static void gl_insert(int value) {
  struct node *node = malloc(sizeof *node);
  if (!node) abort();
  node->value = value;
  list_add(&node->linkage, &gl_list);
  node->nested.next = &node->nested; node->nested.prev = &node->nested;
}
int main() {
  gl_insert(1); gl_insert(2);
  struct list_head *p = gl_list.next;
  int n = 0;
  while (p != &gl_list) { n++; p = p->next; }
  if (n != 2) { int *q = 0; *q = 1; }
  return 0;
}
