// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
void reach_error(void) {}
void alloc3(int ***p) { **p = 0; }
int main() {
  int a = 3; int *p = &a; int **q = &p; int ***r = &q;
  ***r = 7;
  if (a != 7) reach_error();
  alloc3(r);
  if (p != 0) reach_error();
  return 0;
}
