// RUN: verify --timeout 10 %s
// EXPECT: main: verified
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next; };
struct item { int value; struct link link; };
static void push(struct link *head, struct link *l) { l->next = head->next; head->next = l; }
int main(void) {
  struct link head;
  head.next = &head;
  struct item *a = malloc(sizeof *a), *b = malloc(sizeof *b), c;
  a->value = 1;
  b->value = 2;
  c.value = 3;
  push(&head, &a->link);
  push(&head, &b->link);
  push(&head, &c.link);
  int n = 0;
  for (struct link *l = head.next; l != &head; l = l->next) n++;
  assert(n == 3);
  assert(head.next == &c.link && c.link.next == &b->link && b->link.next == &a->link);
  assert(a->value == 1 && b->value == 2 && c.value == 3);
  free(a);
  free(b);
  return 0;
}
