// RUN: verify --quiet --timeout 60 --check memsafety,leaks %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 --check memsafety,leaks -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct node { unsigned visited : 1; unsigned color : 2; int key; struct node *next; };
int main(void) {
  struct node *head = NULL; int k;
  while (scanf("%d", &k) == 1) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->visited = 0; n->color = 3; n->key = k; n->next = head; head = n;
  }
  for (struct node *n = head; n; n = n->next) { n->visited = 1; n->color++; }
  while (head) {
    struct node *n = head;
    head = head->next;
    if (n->visited) free(n);
#ifdef BUG
    if (n->color) head = NULL;
#endif
  }
  return 0;
}
