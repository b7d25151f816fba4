// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
struct node { struct node *next; int v; };
int main() {
  struct node *p = malloc(sizeof *p);
  p->v = 4; p->next = 0;
  p = realloc(p, sizeof(struct node));
  if (p == NULL) return 1;
  int v = p->v;
  if (v != 4) { int *z = 0; *z = 0; }
  free(p);
  return 0;
}
