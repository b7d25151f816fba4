// RUN: verify --quiet --check memsafety,leaks --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { char *s; struct node *next; };
int main(void) {
  char line[80];
  struct node *head = NULL;
  while (fgets(line, sizeof line, stdin)) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->s = strdup(line);
    n->next = head;
    head = n;
  }
  for (struct node *p = head; p; p = p->next) if (p->s) printf("%s", p->s);
  while (head) {
    struct node *n = head->next;
#ifndef BUG
    free(head->s);
#endif
    free(head);
    head = n;
  }
  return 0;
}
