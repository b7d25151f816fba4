// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-memtrack)
// STATUS: 1
#include <stdlib.h>
struct lh { struct lh *next; };
struct node { int v; struct lh link; };
int main() {
  struct node *n = malloc(sizeof *n);
  struct lh *p = &n->link;
  p->next = 0;
  n = 0; p = 0;
  return 0;
}
