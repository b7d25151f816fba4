// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
#include <stdlib.h>
typedef struct node { int data; struct node *next; struct node *prev; } *DLL;
DLL mk(int len) {
  DLL last = (DLL) malloc(sizeof(struct node));
  last->next = last; last->prev = last; DLL head = last;
  while (len > 1) { DLL n = malloc(sizeof *n); n->next = head; head->prev = n; head = n; len--; }
  last->next = head; head->prev = last;
  return head;
}
int main(void) {
  DLL head = mk(3); DLL p = head;
  do { free(p); p = p->next; } while (p != head);
  return 0;
}
