// RUN: verify --timeout 120 --svcomp unreach-call %s
// EXPECT: VERDICT: true
#include <stdlib.h>
#include <string.h>
void reach_error(void) {}
struct A { int a; const char *name; };
int main() {
  struct A x; x.a = 1; x.name = "hello";
  const char *s = "abc";
  if (!s) reach_error();
  if (x.name == 0) reach_error();
  if (x.a != 1) reach_error();
  return 0;
}
