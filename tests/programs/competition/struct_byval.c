// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
void reach_error(void) {}
struct pt { int x, y; };
struct seg { struct pt a, b; struct seg *n; };
struct pt add(struct pt p, struct pt q) { p.x += q.x; p.y += q.y; return p; }
int main() {
  struct seg s = { { 1, 2 }, { .y = 4, .x = 3 }, 0 };
  struct seg t = s; t.a = add(s.a, s.b);
  if (t.a.x != 4 || t.a.y != 6 || s.a.x != 1) reach_error();
  if (add(t.a, t.b).y != 10) reach_error();
  return 0;
}
