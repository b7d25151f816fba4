// RUN: verify --timeout 120 --svcomp valid-memsafety %s
// EXPECT: VERDICT: true
#include <stdlib.h>
#include <alloca.h>
struct node { struct node *next; int v; };
int main() {
  struct node *p = alloca(sizeof *p);
  p->v = 3; p->next = p;
  return p->next->v - 3;
}
