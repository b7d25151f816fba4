// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
typedef struct node { int data; struct node *next; struct node *prev; } *DLL;
void myexit(int s) { _EXIT: goto _EXIT; }
DLL dll_circular_create(int len, int data) {
  DLL last = (DLL) malloc(sizeof(struct node));
  if (NULL == last) myexit(1);
  last->next = last; last->prev = last; last->data = data;
  DLL head = last;
  while (len > 1) {
    DLL new_head = (DLL) malloc(sizeof(struct node));
    if (NULL == new_head) myexit(1);
    new_head->next = head; new_head->data = data;
    head->prev = new_head; head = new_head; len--;
  }
  last->next = head; head->prev = last;
  return head;
}
void dll_circular_destroy(DLL head) {
  DLL p = head->next;
  while (head != p) { DLL q = p->next; free(p); p = q; }
  free(head);
}
void update_at(DLL head, int index, int data) { while (index > 0) { head = head->next; index--; } head->data = data; }
int main(void) {
  const int len = 4;
  DLL head = dll_circular_create(len, 1);
  for (int i = len - 1; i >= 0; i--) update_at(head, i, i + 7);
  dll_circular_destroy(head);
  head = NULL;
  return 0;
}
