// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-deref)
// STATUS: 1
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() {
  struct node *p = malloc(sizeof *p), *q;
  p->v = 4; p->next = 0;
  q = realloc(p, sizeof(struct node));
  int v = p->v;
  free(q);
  return 0;
}
