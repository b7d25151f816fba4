// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
#include <string.h>
void reach_error(void) {}
struct node { struct node *next; int v; struct { int a, b; } in; };
int main() {
  struct node n, m; struct node *p = malloc(sizeof *p);
  memset(&n, 0, sizeof n);
  memset(p, 0, sizeof(struct node));
  if (n.next || n.v || p->next || p->in.b) reach_error();
  p->in.a = 4; p->v = 5;
  memcpy(&m, p, sizeof m);
  if (m.in.a != 4 || m.v != 5 || m.next) reach_error();
  memmove(p, &n, sizeof *p);
  if (p->v) reach_error();
  free(p);
  return 0;
}
