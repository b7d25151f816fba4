// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { }
extern void *malloc(size_t);
extern void free(void*);
typedef struct node { int data; struct node *next; } *SLL;
void myexit(int s) { _EXIT: goto _EXIT; }
SLL node_create(int data) {
  SLL temp = (SLL) malloc(sizeof(struct node));
  if (NULL == temp) myexit(1);
  temp->next = NULL; temp->data = data;
  return temp;
}
SLL sll_create(int len, int data) {
  SLL head = NULL;
  while (len > 0) { SLL new_head = node_create(data); new_head->next = head; head = new_head; len--; }
  return head;
}
void sll_destroy(SLL head) { while (head) { SLL temp = head->next; free(head); head = temp; } }
void sll_append(SLL *head, int data) {
  SLL new_last = node_create(data);
  if (NULL == *head) { *head = new_last; }
  else { SLL last = *head; while (NULL != last->next) last = last->next; last->next = new_last; }
}
int main(void) {
  const int len = 5; const int data = 1; int uncle_data = 2;
  SLL head = sll_create(len, data);
  const int mid_index = len / 2;
  int i;
  for (i = 0; i < mid_index; i++) sll_append(&head, uncle_data);
  SLL ptr = head; int count = 0;
  while (ptr) {
    if (count < len && data != ptr->data) goto ERROR;
    if (count >= len && uncle_data != ptr->data) goto ERROR;
    ptr = ptr->next; count++;
  }
  if (count != len + mid_index) goto ERROR;
  sll_destroy(head);
  return 0;
ERROR: { reach_error(); abort(); }
}
