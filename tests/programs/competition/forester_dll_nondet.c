// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int();
struct T { struct T *next; struct T *prev; int data; };
void exit(int s) { _EXIT: goto _EXIT; }
int main() {
  struct T *head = malloc(sizeof(struct T));
  head->next = NULL; head->prev = NULL; head->data = 0;
  struct T *item = head;
  while (__VERIFIER_nondet_int()) {
    item->next = (struct T*) malloc(sizeof(struct T));
    item->next->prev = item;
    item = item->next;
    item->next = NULL; item->data = 0;
  }
  item = head;
  while (item) { item = item->next; }
  while (head) { item = head; head = head->next; free(item); }
  return 0;
}
