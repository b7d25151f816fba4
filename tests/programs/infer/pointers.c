// RUN: infer --timeout 60 %s
// EXPECT: requires \valid(head);
// STATUS: 0
// PERSON push: \valid(head)
// PERSON push_node: \valid(head) && \valid(e) && head != &e->next && \list(next, *head) && !(*head -next*-> e)
// PERSON pop: \valid(head) && \list(next, *head)
// PERSON take: \valid(head) && \list(next, *head)
// PERSON is_empty: \valid(head)
// PERSON sum: \list(next, head)
// PERSON swap_values: \valid(a) && \valid(b)
#include <stdlib.h>

typedef struct node { int val; struct node *next; } node_t;

/* What textbooks write. */
void push(node_t **head, int val)
{
  node_t *new_node = malloc(sizeof(node_t));
  new_node->val = val;
  new_node->next = *head;
  *head = new_node;
}

void push_node(node_t **head, node_t *e)
{
  e->next = *head;
  *head = e;
}

int pop(node_t **head)
{
  int result = -1;
  node_t *next = NULL;
  if (*head == NULL) return -1;
  next = (*head)->next;
  result = (*head)->val;
  free(*head);
  *head = next;
  return result;
}

node_t *take(node_t **head)
{
  node_t *e = *head;
  if (e) *head = e->next;
  return e;
}

int is_empty(node_t **head)
{
  return *head == NULL;
}

int sum(node_t *head)
{
  int s = 0;
  for (; head; head = head->next) s += head->val;
  return s;
}

void swap_values(node_t *a, node_t *b)
{
  int t = a->val;
  a->val = b->val;
  b->val = t;
}
