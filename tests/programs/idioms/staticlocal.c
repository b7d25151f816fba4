// RUN: verify --quiet --timeout 60 %s
// EXPECT: main: verified
// RUN: verify --quiet --timeout 60 -DBUG %s
// EXPECT: main: violated
// STATUS: 1

#include <stdlib.h>
#include <stdio.h>
struct node { int id; struct node *next; };
static struct node *make(void) {
  static int counter = 0;
  struct node *n = malloc(sizeof *n);
  if (!n) exit(2);
  n->id = ++counter; n->next = NULL;
  return n;
}
int main(void) {
  struct node *head = NULL, *tail = NULL;
  while (getchar() != EOF) {
    struct node *n = make();
    if (tail) tail->next = n; else head = n;
    tail = n;
  }
  while (head) { struct node *n = head; head = head->next; free(n); }
#ifdef BUG
  if (tail) printf("%d\n", tail->id);
#endif
  return 0;
}
