// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
void reach_error(void) {}
typedef struct { int *x; int y; } S;
int g = 3;
void init(S *s) { s->x = &g; s->y = 4; }
int main() {
  S s; init(&s);
  int *p = s.x; *p = s.y;
  if (g != 4) reach_error();
  int **pp = &p; **pp = 5;
  if (g != 5) reach_error();
  return 0;
}
