// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: false(valid-free)
// STATUS: 1
#include <stdlib.h>
extern void *__builtin_alloca(unsigned long);
struct node { struct node *next; int v; };
int main() {
  struct node *p = __builtin_alloca(sizeof *p);
  p->v = 3; p->next = p;
  free(p);
  return 0;
}
